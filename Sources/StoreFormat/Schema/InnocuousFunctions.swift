package import SQLCore

/// The functions that an expression in the schema may call: those with bounded time, and with
/// memory bounded by the document that they get.
///
/// SQL in the schema runs on each write. The functions of this project that LiteCore's indexes
/// use are bounded; some of SQLite's, such as `zeroblob`, are not.
package struct InnocuousFunctions {
    /// The functions registered by this project, in lower case.
    private let registered: Set<String>

    /// - Parameter context: a connection on which all of the project's functions are registered.
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

    /// The first function in an expression that it is not allowed to call; nil if all are allowed.
    ///
    /// - Parameter tokens: the tokens of the expression.
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

    /// Functions that are not built in, but part of SQLite's extensions.
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
    /// Whether it is a function name if a parenthesis follows.
    fileprivate var isCallable: Bool {
        switch kind {
        case .quoted: true
        case .word: !Self.keywords.contains(text.asciiLowercased)
        case .string, .number, .sign: false
        }
    }

    /// Keywords after which a parenthesis starts an expression.
    private static let keywords: Set<String> = [
        "and", "as", "asc", "between", "by", "case", "collate", "desc", "distinct", "docid", "else",
        "escape", "exists", "filter", "from", "glob", "in", "is", "isnull", "like", "match", "not",
        "notnull", "null", "of", "on", "or", "over", "regexp", "select", "set", "then", "values",
        "when", "where",
    ]
}
