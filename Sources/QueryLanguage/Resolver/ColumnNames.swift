internal import FleeceLite
internal import StoreFormat

/// The column names of a result.
enum ColumnNames {
    /// The names of results: aliases, the last names of paths, and `$1`, `$2`, … for other
    /// expressions.
    ///
    /// - Throws: `.invalidQuery` if two aliases are equal.
    static func columnNames(
        of results: [QueryResult], _ areDocuments: Bool, _ names: NameEnvironment
    ) throws -> [String] {
        var columnNames: [String] = []
        var taken: [ExactString: Int] = [:]
        var aliases: Set<String> = []
        var unnamed = 0
        for result in results {
            if let alias = result.alias {
                guard aliases.insert(alias).inserted else {
                    throw result.aliasPosition.located(
                        StoreError.invalidQuery("two results have the alias \(alias)"))
                }
            }
            var title =
                try result.alias ?? name(of: result.expression.bare, areDocuments, names) ?? ""
            if title.isEmpty {
                unnamed += 1
                title = "$\(unnamed)"
            }
            columnNames.append(unique(title, &taken))
        }
        return columnNames
    }

    /// Makes a name unique: `name`, `name #2`, ….
    ///
    /// - Parameter taken: the names in use, each with the number of its last repetition.
    private static func unique(_ title: String, _ taken: inout [ExactString: Int]) -> String {
        guard var number = taken[ExactString(title)] else {
            taken[ExactString(title)] = 1
            return title
        }
        var unique = title
        while taken[ExactString(unique)] != nil {
            number += 1
            unique = "\(title) #\(number)"
        }
        taken[ExactString(title)] = number
        taken[ExactString(unique)] = 1
        return unique
    }

    private static func name(
        of expression: QueryExpression, _ areDocuments: Bool, _ names: NameEnvironment
    ) throws -> String? {
        switch expression {
        case .meta(.all, _): return nil
        case .meta(let property, _): return areDocuments ? property.shortName : property.rawValue
        case .property(let path), .nested(_, let path), .variable(_, let path):
            if case .key(let last) = path.components.last { return last }
            guard case .property = expression, path.components.isEmpty,
                case .source(let source, _) = try names.resolution(of: path)
            else { return nil }
            return source.title(among: names.scope.sources)
        default: return nil
        }
    }
}

extension ResolvedSource {
    /// The name of a column that is a whole source: the name of the source, with its scope if
    /// another source has the same name.
    fileprivate func title(among sources: [ResolvedSource]) -> String {
        sources.count { $0.alias.hasSameBytes(as: alias) } > 1 ? fullName : alias
    }
}
