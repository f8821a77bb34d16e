internal import FleeceLite
internal import StoreFormat

/// Finds texts by their beginning in the indexes of properties: SQLite looks up `LIKE 'abc%'` in no
/// index of expressions. A term of `WHERE` says between which texts the ones in question are.
struct PrefixSearch {
    let scope: QueryScope

    /// What a condition implies, as terms that SQLite can look up.
    func terms(of condition: QueryExpression) throws -> [String] {
        guard scope.hasIndexes else { return [] }
        return try condition.conjuncts.compactMap { operand in
            guard case .operation(.like, let operands) = operand,
                let (prefix, end) = Self.bounds(operands),
                operands[0].isProperty || operands[0].resultType == .plain,
                try scope.indexedTable(of: operands[0]) != nil
            else { return nil }
            var writer = SQLExpressionWriter(.scope(scope))
            writer.isVerbatim = true
            try writer.within(4) { try $0.write(operands[0]) }
            return "\(writer.sql) >= \(prefix.sqlLiteral) AND \(writer.sql) < \(end.sqlLiteral)"
        }
    }

    /// Between which texts those are that a pattern is met by, the second one not included.
    static func bounds(_ operands: [QueryExpression]) -> (prefix: String, end: String)? {
        guard operands.count == 2, let prefix = operands[1].likePrefix, !isOfNumbers(prefix),
            let end = end(of: prefix)
        else { return nil }
        return (prefix, end)
    }

    /// Whether a number can be written so: `LIKE` takes numbers for texts, an index does not.
    private static func isOfNumbers(_ prefix: String) -> Bool {
        guard let first = prefix.utf8.first else { return true }
        return "0123456789+-.Ii".utf8.contains(first)
    }

    /// The first text behind all that begin with this one; nil if its last letter is not ASCII.
    private static func end(of prefix: String) -> String? {
        guard let last = prefix.utf8.last, last < 0x7E else { return nil }
        var scalars = prefix.unicodeScalars
        scalars.removeLast()
        scalars.append(Unicode.Scalar(last + 1))
        return String(scalars)
    }
}

extension QueryExpression {
    /// The letters before the first sign of a pattern of `LIKE`; nil if there are none, or it is
    /// not written in the query.
    package var likePrefix: String? {
        guard case .literal(.string(let pattern)) = self else { return nil }
        var prefix = String.UnicodeScalarView()
        for scalar in pattern.unicodeScalars {
            if scalar == "%" || scalar == "_" || scalar == "\\" { break }
            prefix.append(scalar)
        }
        return prefix.isEmpty || prefix.contains("\0") ? nil : String(prefix)
    }
}
