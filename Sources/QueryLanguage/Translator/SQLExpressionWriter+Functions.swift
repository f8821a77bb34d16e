internal import FleeceLite
internal import StoreFormat

extension SQLExpressionWriter {
    /// Writes a function of the query language by its SQL name.
    ///
    /// - Throws: `.invalidQuery` if the function is unknown or has the wrong number of arguments.
    mutating func function(_ name: String, _ arguments: [QueryExpression]) throws {
        guard let known = QueryFunction(named: name) else { throw Self.unknown(name) }
        guard known.arguments.contains(arguments.count) else {
            throw StoreError.invalidQuery(
                "\(name)() takes \(known.argumentCountText), not \(arguments.count)")
        }
        if name == VectorDistanceJoin.function {
            return try vectorDistance(.function(name, arguments))
        }
        // Counts the elements of a property without copying the array.
        if name == "array_count", arguments.count == 1,
            case .property(let path) = arguments[0], try isOfDocument(path)
        {
            return try accessor("fl_count", path)
        }
        if known.isAggregate, case .scope = source { return try aggregate(known, arguments) }
        var arguments = arguments
        if known.name == "contains", let collation = takeCollation() {
            arguments.append(.string(collation.sqlName))
        }
        sql += known.sqlName + "("
        for (index, argument) in arguments.enumerated() {
            if index > 0 { sql += ", " }
            try typed(!isTextOfIndex || !known.isBlind(toArgument: index, argument)) { writer in
                try writer.within(0) { try $0.write(argument) }
            }
        }
        sql += ")"
    }

    /// Whether a path leads into a document, so that a function can search its body.
    private func isOfDocument(_ path: PropertyPath) throws -> Bool {
        guard !path.components.isEmpty else { return false }
        switch source {
        case .records: return true
        case .elements: return false
        case .scope(let scope):
            guard case .source(let source, let rest) = try scope.resolution(of: path) else {
                return false
            }
            if case .rows = source.kind { return false }
            return !rest.components.isEmpty
        }
    }

    private static func unknown(_ name: String) -> StoreError {
        let nearest = QueryFunction.nearest(to: name).map { "; did you mean \($0)()?" } ?? ""
        return .invalidQuery("there is no function \(name)()\(nearest)")
    }
}
