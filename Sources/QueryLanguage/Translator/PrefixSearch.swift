internal import FleeceLite
internal import StoreFormat

/// Finds strings by prefix in the indexes of properties, since SQLite uses no expression index for
/// `LIKE 'abc%'`. An additional term of `WHERE` gives the range of the candidate strings.
struct PrefixSearch {
    let scope: QueryScope

    /// Terms that a condition implies and that SQLite can look up.
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

    /// The range of the strings that match a pattern; its upper bound is exclusive.
    static func bounds(_ operands: [QueryExpression]) -> (prefix: String, end: String)? {
        guard operands.count == 2, let prefix = operands[1].likePrefix, !isOfNumbers(prefix),
            let end = end(of: prefix)
        else { return nil }
        return (prefix, end)
    }

    /// Whether a number can have this prefix: `LIKE` converts numbers to strings, an index does
    /// not.
    private static func isOfNumbers(_ prefix: String) -> Bool {
        guard let first = prefix.utf8.first else { return true }
        return "0123456789+-.Ii".utf8.contains(first)
    }

    /// The least string after all strings with this prefix; nil if its last character is not ASCII.
    private static func end(of prefix: String) -> String? {
        guard let last = prefix.utf8.last, last < 0x7E else { return nil }
        var scalars = prefix.unicodeScalars
        scalars.removeLast()
        scalars.append(Unicode.Scalar(last + 1))
        return String(scalars)
    }
}

extension QueryExpression {
    /// The literal prefix of a `LIKE` pattern, up to its first wildcard; nil if it is empty or the
    /// pattern is not a literal.
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
