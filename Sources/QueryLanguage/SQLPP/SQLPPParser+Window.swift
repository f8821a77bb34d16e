internal import StoreFormat

extension SQLPPParser {
    /// `[FILTER (WHERE …)] [OVER (…)]` after the arguments of a function.
    mutating func parseCallSuffixes(
        of function: QueryFunction, _ call: inout QueryCall
    ) throws {
        let outside = tallest
        tallest = height
        if isWord(.filter), kind(after: 1) == .symbol(.leftParenthesis) {
            guard function.isAggregate else {
                throw error(
                    found: "FILTER after \(function.name)()", expected: "an aggregate function")
            }
            advance()
            advance()
            try expect(.where)
            call.filter = try parseTerm()
            try expect(.rightParenthesis, or: "an operator or ")
        }
        if isWord(.over), kind(after: 1) == .symbol(.leftParenthesis) {
            guard function.isAggregate || function.needsWindow else {
                throw error(
                    found: "OVER after \(function.name)()",
                    expected: "an aggregate or window function")
            }
            if call.isDistinct {
                throw error(found: "OVER after DISTINCT", expected: "only one of them")
            }
            advance()
            advance()
            call.window = try parseWindow()
        }
        height = tallest
        tallest = outside
    }

    /// The window in the parentheses of `OVER`.
    private mutating func parseWindow() throws -> QueryWindow {
        let outside = stage
        var window = QueryWindow()
        var expected = "PARTITION BY, ORDER BY, ROWS, RANGE, GROUPS or "
        if skip(.partition) {
            try expect(.by)
            repeat { window.partitions.append(try parseTerm()) } while skip(.comma)
            expected = "an operator, ',', ORDER BY, ROWS, RANGE, GROUPS or "
        }
        if skip(.order) {
            try expect(.by)
            repeat { window.order.append(try parseOrder()) } while skip(.comma)
            expected = "an operator, ',', ASC, DESC, NULLS, ROWS, RANGE, GROUPS or "
        }
        if let unit = frameUnit {
            advance()
            window.frame = try parseFrame(unit)
            expected = "EXCLUDE or "
            if window.frame?.exclusion != nil { expected = "" }
        }
        try expect(.rightParenthesis, or: expected)
        stage = outside
        return window
    }

    private var frameUnit: QueryFrame.Unit? {
        if isWord(.rows) { return .rows }
        if isWord(.range) { return .range }
        return isWord(.groups) ? .groups : nil
    }

    /// `start` or `BETWEEN start AND end`, and `EXCLUDE …`
    private mutating func parseFrame(_ unit: QueryFrame.Unit) throws -> QueryFrame {
        var frame: QueryFrame
        if skip(.between) {
            let start = try parseBound()
            try expect(.and)
            frame = QueryFrame(unit: unit, start: start, end: try parseBound())
        } else {
            frame = QueryFrame(unit: unit, start: try parseBound())
        }
        if skip(.exclude) { frame.exclusion = try parseExclusion() }
        return frame
    }

    private mutating func parseBound() throws -> QueryFrame.Bound {
        if isWord(.current), isWord(.row, after: 1) {
            advance()
            advance()
            return .currentRow
        }
        if isWord(.unbounded), isWord(.preceding, after: 1) || isWord(.following, after: 1) {
            let isPreceding = isWord(.preceding, after: 1)
            advance()
            advance()
            return isPreceding ? .unboundedPreceding : .unboundedFollowing
        }
        // AND belongs to BETWEEN.
        let distance = try parseExpression(.order)
        tallest = max(tallest, height)
        if skip(.preceding) { return .preceding(distance) }
        guard skip(.following) else {
            throw unexpected("an operator, PRECEDING or FOLLOWING")
        }
        return .following(distance)
    }

    private mutating func parseExclusion() throws -> QueryFrame.Exclusion? {
        if skip(.group) { return .group }
        if skip(.ties) { return .ties }
        if skip(.current) {
            try expect(.row)
            return .currentRow
        }
        guard skip(.no) else { throw unexpected("CURRENT ROW, GROUP, TIES or NO OTHERS") }
        try expect(.others)
        return nil
    }
}
