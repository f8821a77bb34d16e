package import SQLCore

/// What an expression of the schema may call: functions that end soon and take no more memory than
/// the document that they are given.
///
/// SQL in the schema runs with each write. The functions of this project that LiteCore's indexes
/// use are bounded; SQLite has others, such as `zeroblob`, that are not.
package struct HarmlessSQL {
    /// The functions that are not SQLite's own, in lower case.
    private let registered: Set<String>

    /// - Parameter context: a connection with all functions of the project.
    package init(_ context: SQLContext) throws {
        let names = try context.selectAll(
            sql: "SELECT DISTINCT name FROM pragma_function_list WHERE NOT builtin")
        registered = Set(names.compactMap { $0.first?.textValue?.asciiLowercased })
            .subtracting(Self.unbounded)
    }

    func allows(function name: String) -> Bool {
        let name = name.asciiLowercased
        return name.hasPrefix("fl_") || Self.ownOfSQLite.contains(name) || registered.contains(name)
    }

    /// The first function that an expression calls and that is not allowed; nil for none.
    ///
    /// - Parameter tokens: those of the expression.
    package func forbiddenFunction(in tokens: some Sequence<SQLTextToken>) -> String? {
        var previous: SQLTextToken?
        for token in tokens {
            if token.isSign("("), let name = previous, name.isCallable, !allows(function: name.text)
            {
                return name.text
            }
            previous = token
        }
        return nil
    }

    /// Functions that are not built in but come with SQLite's extensions.
    private static let unbounded: Set<String> = [
        "edit", "fts3_tokenizer", "load_extension", "optimize", "readfile", "writefile",
    ]

    private static let ownOfSQLite: Set<String> = [
        "abs", "coalesce", "date", "datetime", "ifnull", "iif", "json", "json_array_length",
        "json_extract", "json_type", "json_valid", "julianday", "length", "lower", "ltrim", "max",
        "min", "nullif", "round", "rtrim", "sign", "strftime", "substr", "substring", "time",
        "trim", "typeof", "unicode", "unixepoch", "upper",
    ]
}

extension SQLTextToken {
    /// Whether it is the name of a function if a parenthesis follows.
    fileprivate var isCallable: Bool {
        switch kind {
        case .quoted: true
        case .word: !Self.keywords.contains(text.asciiLowercased)
        case .string, .number, .sign: false
        }
    }

    /// Behind which a parenthesis is one of an expression.
    private static let keywords: Set<String> = [
        "and", "as", "asc", "between", "by", "case", "collate", "desc", "distinct", "docid", "else",
        "escape", "exists", "filter", "from", "glob", "in", "is", "isnull", "like", "match", "not",
        "notnull", "null", "of", "on", "or", "over", "regexp", "select", "set", "then", "values",
        "when", "where",
    ]
}
