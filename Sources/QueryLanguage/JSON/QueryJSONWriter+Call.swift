internal import FleeceLite

extension QueryJSONWriter {
    mutating func write(_ call: QueryCall) {
        text.append("[\"CALL\",")
        object { object in
            object.text("FUNCTION", call.function)
            object.list("ARGUMENTS", call.arguments) { $0.write($1) }
            object.truth("DISTINCT", call.isDistinct)
            object.expression("FILTER", call.filter)
            if let window = call.window { object.value("OVER") { $0.write(window) } }
        }
        text.append("]")
    }

    private mutating func write(_ window: QueryWindow) {
        object { object in
            object.list("PARTITION_BY", window.partitions) { $0.write($1) }
            object.list("ORDER_BY", window.order) { $0.write($1) }
            if let frame = window.frame { object.value("FRAME") { $0.write(frame) } }
        }
    }

    private mutating func write(_ frame: QueryFrame) {
        object { object in
            object.text("UNIT", frame.unit.rawValue)
            object.value("START") { $0.write(frame.start) }
            if let end = frame.end { object.value("END") { $0.write(end) } }
            object.text("EXCLUDE", frame.exclusion?.rawValue)
        }
    }

    private mutating func write(_ bound: QueryFrame.Bound) {
        switch bound {
        case .unboundedPreceding: text.append("[\"UNBOUNDED PRECEDING\"]")
        case .preceding(let distance): operation("PRECEDING", [distance])
        case .currentRow: text.append("[\"CURRENT ROW\"]")
        case .following(let distance): operation("FOLLOWING", [distance])
        case .unboundedFollowing: text.append("[\"UNBOUNDED FOLLOWING\"]")
        }
    }
}
