internal import FleeceLite
internal import QueryLanguage
import StoreFormat

// Aggregate and window functions.
extension QueryEvaluator {
    func function(_ call: QueryCall, _ scope: ModelScope) throws -> ModelValue {
        if let window = call.window { return try windowFunction(call, window, scope) }
        if QueryFunction(named: call.function)?.isAggregate == true {
            guard let group = scope.frames.last?.group else {
                throw ModelError.failure("an aggregate function where there is no group")
            }
            let scopes = group.rows.map { row in
                var inner = scope
                inner.frame.group = nil
                inner.frame.sources = row
                return inner
            }
            return try aggregate(call, scopes)
        }
        let values = try call.arguments.map { try value($0, scope) }
        return try function(call.function, values, call.arguments)
    }

    private func aggregate(_ call: QueryCall, _ scopes: [ModelScope]) throws -> ModelValue {
        var scopes = scopes
        if let filter = call.filter { scopes = try scopes.filter { try bool(filter, $0) == true } }
        if call.arguments == [.property(PropertyPath([]))], call.function == "count" {
            return .integer(Int64(scopes.count))
        }
        var values = try scopes.map { try value(call.arguments[0], $0) }.filter { !$0.isMissing }
        if call.isDistinct {
            var seen: Set<ModelValue> = []
            values = values.filter { seen.insert($0.canonical).inserted }
        }
        return try aggregate(call.function, values)
    }

    private func aggregate(_ name: String, _ values: [ModelValue]) throws -> ModelValue {
        switch name {
        case "count": return .integer(Int64(values.count))
        case "min", "max": return values.isEmpty ? .missing : extreme(values, isMost: name == "max")
        case "array_agg":
            if values.count > 1 { notes.isLooseArray = true }
            return .array(values)
        case "sum", "avg":
            if values.isEmpty { return .missing }
            let total = try sum(values)
            return name == "sum" ? total : .quotient(total, .integer(Int64(values.count)))
        default: throw ModelError.unsupported(name)
        }
    }

    /// The least or greatest of values, none of which is MISSING.
    func extreme(_ values: [ModelValue], isMost: Bool) -> ModelValue {
        var best = values[0]
        for value in values.dropFirst() {
            let order = compare(value, best)
            if order == 0, value.canonical != best.canonical { notes.isLooseBoolean = true }
            if isMost ? order > 0 : order < 0 { best = value }
        }
        return best
    }

    private func sum(_ values: [ModelValue]) throws -> ModelValue {
        var whole: Int64 = 0
        var real = 0.0
        var (isReal, isTooLarge) = (false, false)
        for value in values {
            if value.isCollection { notes.hasReadBytes = true }
            let number = value.number ?? .integer(0)
            // A string that is not completely a number counts as a floating-point number.
            let isPlain = value.plainNumber != nil || value.isNumericText
            if isPlain, case .integer(let number) = number {
                let (sum, overflow) = whole.addingReportingOverflow(number)
                whole = sum
                isTooLarge = isTooLarge || overflow
            } else {
                isReal = true
            }
            real += number.double
        }
        if isReal { return ModelNumber.real(real).value }
        if isTooLarge { throw ModelError.failure("integer overflow") }
        return .integer(whole)
    }
}

// Windows.
extension QueryEvaluator {
    private struct WindowRow {
        let scope: ModelScope
        let keys: [ModelValue]
    }

    private func windowFunction(
        _ call: QueryCall, _ window: QueryWindow, _ scope: ModelScope
    ) throws -> ModelValue {
        guard let rows = scope.frames.last?.window.first else {
            throw ModelError.failure("a window function where there are no rows")
        }
        func partition(_ index: Int) throws -> [ModelValue] {
            let inner = enter(rows.units[index], from: scope)
            return try window.partitions.map { try value($0, inner).canonical }
        }
        let own = try partition(rows.index)
        var members: [(index: Int, row: WindowRow)] = []
        for index in rows.units.indices where try partition(index) == own {
            let inner = enter(rows.units[index], from: scope)
            members.append((index, WindowRow(scope: inner, keys: try keys(window.order, inner))))
        }
        members.sort { compare($0.row.keys, $1.row.keys, window.order) < 0 }
        guard let current = members.firstIndex(where: { $0.index == rows.index }) else {
            return .missing
        }
        return try windowValue(call, window, members.map(\.row), current)
    }

    private func enter(_ frame: ModelFrame, from scope: ModelScope) -> ModelScope {
        var inner = scope
        inner.frame = frame
        return inner
    }

    private func windowValue(
        _ call: QueryCall, _ window: QueryWindow, _ rows: [WindowRow], _ current: Int
    ) throws -> ModelValue {
        func isPeer(_ index: Int) -> Bool {
            compare(rows[index].keys, rows[current].keys, window.order) == 0
        }
        let peers = rows.indices.filter(isPeer)
        let first = peers.first ?? current
        let argument = call.arguments.first
        func read(_ index: Int) throws -> ModelValue {
            try argument.map { try value($0, rows[index].scope) } ?? .missing
        }
        if Self.needOrder.contains(call.function), peers.count > 1 { notes.isUndetermined = true }
        switch call.function {
        case "row_number": return .integer(Int64(current + 1))
        case "rank": return .integer(Int64(first + 1))
        case "dense_rank":
            var rank = 1
            for index in 1..<max(1, first + 1)
            where compare(rows[index].keys, rows[index - 1].keys, window.order) != 0 {
                rank += 1
            }
            return .integer(Int64(rank))
        case "percent_rank":
            return rows.count == 1 ? .real(0) : .real(Double(first) / Double(rows.count - 1))
        case "cume_dist": return .real(Double((peers.last ?? 0) + 1) / Double(rows.count))
        case "lag": return current > 0 ? try read(current - 1) : .missing
        case "lead": return current + 1 < rows.count ? try read(current + 1) : .missing
        default: break
        }
        let range = try frame(window, rows.count, current, peers)
        if let frame = window.frame, frame.unit == .rows, peers.count > 1 {
            notes.isUndetermined = true
        }
        switch call.function {
        case "first_value": return try range.first.map { try read($0) } ?? .missing
        case "last_value": return try range.last.map { try read($0) } ?? .missing
        default:
            var plain = call
            plain.window = nil
            return try aggregate(plain, range.map { rows[$0].scope })
        }
    }

    private static let needOrder: Set = ["row_number", "lag", "lead", "first_value", "last_value"]

    /// Without a frame all rows up to the last peer, or all rows if there is no order.
    private func frame(
        _ window: QueryWindow, _ count: Int, _ current: Int, _ peers: [Int]
    ) throws -> Range<Int> {
        guard let frame = window.frame else {
            return 0..<(window.order.isEmpty ? count : (peers.last ?? current) + 1)
        }
        guard frame.exclusion == nil else { throw ModelError.unsupported("EXCLUDE") }
        func index(_ bound: QueryFrame.Bound, isStart: Bool) throws -> Int {
            switch bound {
            case .unboundedPreceding: return 0
            case .unboundedFollowing: return count - 1
            case .currentRow where frame.unit == .rows: return current
            case .currentRow: return (isStart ? peers.first : peers.last) ?? current
            case .preceding(.literal(.integer(let distance))) where frame.unit == .rows:
                return current - Int(distance)
            case .following(.literal(.integer(let distance))) where frame.unit == .rows:
                return current + Int(distance)
            case .preceding, .following: throw ModelError.unsupported("a frame of a distance")
            }
        }
        let start = max(0, try index(frame.start, isStart: true))
        let end = min(count - 1, try index(frame.end ?? .currentRow, isStart: false))
        return start <= end ? start..<(end + 1) : start..<start
    }
}
