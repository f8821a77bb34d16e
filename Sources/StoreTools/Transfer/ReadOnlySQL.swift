internal import SQLCore
internal import StoreFormat

/// The rules for SQL statements that may only read: they change neither the file nor the
/// connection.
///
/// SQLite's authorizer checks each action of a statement while the statement is compiled, so the
/// rules do not depend on how it is written.
enum ReadOnlySQL {
    static func refusal(_ reason: String) -> StoreError {
        StoreError(
            .invalidParameter,
            "the SQL was not run: \(reason); use one SELECT, WITH, VALUES or EXPLAIN, or a PRAGMA "
                + "that only reads")
    }

    /// The error for a statement with a forbidden action.
    static func refusal(of action: SQLAction) -> StoreError {
        switch action {
        case .pragma(let name, let value):
            guard value == nil else { return refusal("PRAGMA \(name) cannot be set") }
            return refusal("PRAGMA \(name) is not read-only")
        case .function: return refusal("\(action) is not allowed")
        default: return refusal("\(action) is not read-only")
        }
    }

    static func allows(_ action: SQLAction) -> Bool {
        switch action {
        case .select, .recursive, .read: true
        // Table-valued functions and pragmas declare their columns by this; it writes nothing.
        case .schema: true
        case .function(let name): !writingFunctions.contains(name.lowercased())
        case .pragma(let name, let value):
            readingPragmas.contains(name) || value == nil && plainPragmas.contains(name)
        case .change: false
        }
    }

    /// SQLite functions with side effects: they load code, read an address from a parameter, write
    /// to an index or to the error log, or read and write other files.
    private static let writingFunctions: Set<String> = [
        "edit", "fts3_tokenizer", "load_extension", "optimize", "readfile", "sqlite_log",
        "writefile",
    ]

    /// Pragmas whose argument is the object on which they report.
    private static let readingPragmas: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
        "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    /// Pragmas that are set by an argument.
    private static let plainPragmas: Set<String> = [
        "application_id", "auto_vacuum", "busy_timeout", "cache_size", "collation_list",
        "compile_options", "data_version", "database_list", "encoding", "foreign_keys",
        "freelist_count", "function_list", "journal_mode", "journal_size_limit", "locking_mode",
        "max_page_count", "mmap_size", "module_list", "page_count", "page_size", "pragma_list",
        "query_only", "recursive_triggers", "schema_version", "secure_delete", "synchronous",
        "temp_store", "trusted_schema", "user_version", "wal_autocheckpoint",
    ]
}
