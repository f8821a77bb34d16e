/// Which statements of SQL are run for somebody who looks into a file: those that change nothing,
/// neither in the file nor on the connection.
///
/// SQLite says of a compiled statement whether it only reads. Yet some pragmas act already when
/// they are compiled, and `BEGIN` or `ATTACH` write nothing: so the first words decide.
enum ReadOnlySQL {
    /// Throws `.invalidParameter` for a statement that is not run.
    static func require(_ sql: String) throws {
        var words = SQLWordReader(sql)
        switch words.next() {
        case "select", "with", "values": break
        case "explain": try requireExplained(&words)
        case "pragma": try requirePragma(&words)
        case nil: throw refusal("there is no statement in it")
        case let word?: throw refusal("\(word.uppercased()) is no reading")
        }
        // It would take an address of memory from a parameter.
        guard !sql.lowercased().contains("fts3_tokenizer") else {
            throw refusal("fts3_tokenizer() is not called")
        }
    }

    static func refusal(_ reason: String) -> StoreError {
        StoreError(
            .invalidParameter,
            "the SQL was not run: \(reason); one SELECT, WITH, VALUES, EXPLAIN or a PRAGMA that "
                + "only reads can be")
    }

    private static func requireExplained(_ words: inout SQLWordReader) throws {
        var word = words.next()
        if word == "query" {
            _ = words.next()
            word = words.next()
        }
        guard ["select", "with", "values"].contains(word) else {
            throw refusal("only a query is explained")
        }
    }

    private static func requirePragma(_ words: inout SQLWordReader) throws {
        var name = words.next() ?? ""
        if words.skip(".") { name = words.next() ?? "" }
        if readingPragmas.contains(name) { return }
        guard plainPragmas.contains(name) else { throw refusal("PRAGMA \(name) is not known") }
        guard words.isAtEnd else { throw refusal("PRAGMA \(name) is read, not set") }
    }

    /// What these are given is what they tell of.
    private static let readingPragmas: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
        "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    /// What these are given they would set.
    private static let plainPragmas: Set<String> = [
        "application_id", "auto_vacuum", "cache_size", "collation_list", "compile_options",
        "data_version", "database_list", "encoding", "freelist_count", "function_list",
        "mmap_size", "module_list", "page_count", "page_size", "pragma_list", "schema_version",
        "synchronous", "user_version",
    ]
}

/// Reads the words at the beginning of a statement, in lower case.
struct SQLWordReader {
    private var rest: Substring.UTF8View

    init(_ sql: String) {
        rest = Substring(sql).utf8
    }

    /// The next word; nil if something else comes, or nothing.
    mutating func next() -> String? {
        skipBlanks()
        let word = rest.prefix(while: Self.isOfWord)
        guard !word.isEmpty else { return nil }
        rest = rest.dropFirst(word.count)
        return String(Substring(word)).lowercased()
    }

    /// Passes over a sign, if it comes next.
    mutating func skip(_ sign: Unicode.Scalar) -> Bool {
        skipBlanks()
        guard let first = rest.first, UInt32(first) == sign.value else { return false }
        rest = rest.dropFirst()
        return true
    }

    /// Whether nothing but blanks and comments is left.
    var isAtEnd: Bool {
        var reader = self
        reader.skipBlanks()
        return reader.rest.isEmpty
    }

    private static func isOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    /// Passes over white space, semicolons and comments, as SQLite does between statements.
    private mutating func skipBlanks() {
        while let first = rest.first {
            if [0x20, 0x09, 0x0A, 0x0C, 0x0D, 0x3B].contains(first) {
                rest = rest.dropFirst()
            } else if rest.starts(with: "--".utf8) {
                rest = rest.drop { $0 != 0x0A }
            } else if rest.starts(with: "/*".utf8) {
                skipComment()
            } else {
                return
            }
        }
    }

    private mutating func skipComment() {
        rest = rest.dropFirst(2)
        while !rest.isEmpty, !rest.starts(with: "*/".utf8) { rest = rest.dropFirst() }
        rest = rest.dropFirst(2)
    }
}
