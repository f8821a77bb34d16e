internal import StoreFormat

extension QueryExpression {
    /// Whether its value is the same for all rows.
    var isConstant: Bool {
        var isConstant = true
        visit {
            switch $0 {
            case .property, .variable, .meta, .match, .rank, .subquery, .blob, .prediction:
                isConstant = false
            case .function(let name, _):
                if QueryFunction(named: name)?.isAggregate == true { isConstant = false }
            case .call: isConstant = false
            default: break
            }
        }
        return isConstant
    }

    /// Whether it contains a function with `OVER`.
    package var hasWindow: Bool {
        if case .call(let call) = self, call.window != nil { return true }
        return children.contains { $0.hasWindow }
    }

    /// Whether it contains an aggregate function, window functions excluded.
    package var hasAggregate: Bool {
        switch self {
        case .call(let call) where call.window != nil:
            return call.expressions.contains { $0.hasAggregate }
        case .call: return true
        case .function(let name, _) where QueryFunction(named: name)?.isAggregate == true:
            return true
        default: return children.contains { $0.hasAggregate }
        }
    }
}

extension QueryFunction {
    /// The name of the function that a vector index computes.
    package static let vectorDistance = "approx_vector_distance"
}

extension String {
    /// An SQL name without its quotes.
    package var unquotedSQLName: String {
        guard utf8.first == UInt8(ascii: "\""), utf8.count >= 2 else { return self }
        var name = String.UnicodeScalarView()
        var isSecond = false
        for scalar in unicodeScalars.dropFirst().dropLast() {
            isSecond = scalar == "\"" && !isSecond
            if !isSecond { name.append(scalar) }
        }
        return String(name)
    }
}
