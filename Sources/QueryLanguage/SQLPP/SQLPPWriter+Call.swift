extension SQLPPWriter {
    mutating func write(_ call: QueryCall) {
        append(call.function + (call.isDistinct ? "(DISTINCT " : "("))
        write(call.arguments)
        append(")")
        if let filter = call.filter {
            append(" FILTER (WHERE ")
            write(filter)
            append(")")
        }
        if let window = call.window {
            append(" OVER (")
            write(window)
            append(")")
        }
    }

    private mutating func write(_ window: QueryWindow) {
        var gap = ""
        if !window.partitions.isEmpty {
            append("PARTITION BY ")
            write(window.partitions)
            gap = " "
        }
        if !window.order.isEmpty {
            append(gap + "ORDER BY ")
            write(window.order)
            gap = " "
        }
        if let frame = window.frame {
            append(gap)
            write(frame)
        }
    }

    private mutating func write(_ frame: QueryFrame) {
        append(frame.unit.rawValue + " ")
        if let end = frame.end {
            append("BETWEEN ")
            write(frame.start)
            append(" AND ")
            write(end)
        } else {
            write(frame.start)
        }
        if let exclusion = frame.exclusion { append(" EXCLUDE " + exclusion.rawValue) }
    }

    private mutating func write(_ bound: QueryFrame.Bound) {
        switch bound {
        case .unboundedPreceding: append("UNBOUNDED PRECEDING")
        case .currentRow: append("CURRENT ROW")
        case .unboundedFollowing: append("UNBOUNDED FOLLOWING")
        case .preceding(let distance):
            write(distance, .order)
            append(" PRECEDING")
        case .following(let distance):
            write(distance, .order)
            append(" FOLLOWING")
        }
    }
}
