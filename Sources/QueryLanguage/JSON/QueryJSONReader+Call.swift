internal import FleeceLite
internal import StoreFormat

extension QueryJSONReader {
    /// `["CALL", {"FUNCTION": "count", "ARGUMENTS": […], …}]`
    mutating func call(_ array: FleeceArray) throws -> QueryExpression {
        let clauses = try Self.clauses(
            array, "CALL", ["FUNCTION", "ARGUMENTS", "DISTINCT", "FILTER", "OVER"])
        guard let name = try clauses.text("FUNCTION") else {
            throw StoreError.invalidQuery("CALL needs the name of a FUNCTION")
        }
        let known = QueryFunction(named: name)
        var call = QueryCall(
            function: known?.name ?? name.asciiLowercased,
            arguments: try all(clauses.list("ARGUMENTS")))
        call.isDistinct = try clauses.bool("DISTINCT")
        call.filter = try clauses["FILTER"].map { try expression($0) }
        call.window = try clauses["OVER"].map { try window($0) }
        if let known, !known.isAggregate {
            guard !call.isDistinct, call.filter == nil else {
                throw StoreError.invalidQuery(
                    "\(name)() is not an aggregate function and takes neither DISTINCT nor FILTER")
            }
            guard call.window == nil || known.needsWindow else {
                throw StoreError.invalidQuery("\(name)() is not a window function")
            }
        }
        guard !call.isDistinct || call.window == nil else {
            throw StoreError.invalidQuery("\(name)() has both DISTINCT and OVER")
        }
        return call.isPlain ? .function(call.function, call.arguments) : .call(call)
    }

    private mutating func window(_ value: FleeceValue) throws -> QueryWindow {
        guard let dictionary = value.dictionary else {
            throw StoreError.invalidQuery("OVER needs a dictionary: \(Self.text(value))")
        }
        let clauses = try QueryJSONClauses(
            dictionary, of: "OVER", ["PARTITION_BY", "ORDER_BY", "FRAME"])
        return QueryWindow(
            partitions: try all(clauses.list("PARTITION_BY")),
            order: try clauses.list("ORDER_BY").map { try order($0) },
            frame: try clauses["FRAME"].map { try frame($0) })
    }

    private mutating func frame(_ value: FleeceValue) throws -> QueryFrame {
        guard let dictionary = value.dictionary else {
            throw StoreError.invalidQuery("FRAME needs a dictionary: \(Self.text(value))")
        }
        let clauses = try QueryJSONClauses(
            dictionary, of: "FRAME", ["UNIT", "START", "END", "EXCLUDE"])
        guard let unit = try clauses.text("UNIT"), let start = clauses["START"],
            let unit = QueryFrame.Unit(rawValue: unit.asciiUppercased)
        else {
            throw StoreError.invalidQuery("FRAME needs UNIT (ROWS, RANGE or GROUPS) and START")
        }
        var frame = QueryFrame(
            unit: unit, start: try bound(start), end: try clauses["END"].map { try bound($0) })
        if let name = try clauses.text("EXCLUDE") {
            frame.exclusion = QueryFrame.Exclusion(rawValue: name.asciiUppercased)
            guard frame.exclusion != nil else {
                throw StoreError.invalidQuery(
                    "EXCLUDE cannot be \(name), only CURRENT ROW, GROUP or TIES")
            }
        }
        return frame
    }

    private mutating func bound(_ value: FleeceValue) throws -> QueryFrame.Bound {
        let array = value.array
        switch (array?.first?.string?.asciiUppercased, array?.count) {
        case ("UNBOUNDED PRECEDING", 1): return .unboundedPreceding
        case ("UNBOUNDED FOLLOWING", 1): return .unboundedFollowing
        case ("CURRENT ROW", 1): return .currentRow
        case ("PRECEDING", 2): return .preceding(try expression(array?[1] ?? value))
        case ("FOLLOWING", 2): return .following(try expression(array?[1] ?? value))
        default: throw StoreError.invalidQuery("invalid frame bound: \(Self.text(value))")
        }
    }
}
