internal import SQLCore
internal import StoreFormat

/// What a statement may do that runs for someone who looks into a file: it changes nothing, neither
/// in the file nor on the connection.
///
/// SQLite's authorizer asks for each action of a statement while it is compiled, so nothing depends
/// on how the statement is written.
enum ReadOnlySQL {
    static func refusal(_ reason: String) -> StoreError {
        StoreError(
            .invalidParameter,
            "the SQL was not run: \(reason); one SELECT, WITH, VALUES, EXPLAIN or a PRAGMA that "
                + "only reads can be")
    }

    /// Why a statement with this action is not run.
    static func refusal(of action: SQLAction) -> StoreError {
        switch action {
        case .pragma(let name, let value):
            guard value == nil else { return refusal("PRAGMA \(name) is read, not set") }
            return refusal("PRAGMA \(name) does not only read")
        case .function: return refusal("\(action) is not called")
        default: return refusal("\(action) does not only read")
        }
    }

    static func allows(_ action: SQLAction) -> Bool {
        switch action {
        case .select, .recursive, .read: true
        // Tables of functions and pragmas declare their columns so; nothing is written by it.
        case .schema: true
        case .function(let name): !writingFunctions.contains(name.lowercased())
        case .pragma(let name, let value):
            readingPragmas.contains(name) || value == nil && plainPragmas.contains(name)
        case .change: false
        }
    }

    /// Functions of SQLite with side effects: they load code, take an address of memory from a
    /// parameter, write to an index or to the log of errors, and read or write other files.
    private static let writingFunctions: Set<String> = [
        "edit", "fts3_tokenizer", "load_extension", "optimize", "readfile", "sqlite_log",
        "writefile",
    ]

    /// The value of these is what they report on.
    private static let readingPragmas: Set<String> = [
        "foreign_key_check", "foreign_key_list", "index_info", "index_list", "index_xinfo",
        "integrity_check", "quick_check", "table_info", "table_list", "table_xinfo",
    ]

    /// A value would set these.
    private static let plainPragmas: Set<String> = [
        "application_id", "auto_vacuum", "busy_timeout", "cache_size", "collation_list",
        "compile_options", "data_version", "database_list", "encoding", "foreign_keys",
        "freelist_count", "function_list", "journal_mode", "journal_size_limit", "locking_mode",
        "max_page_count", "mmap_size", "module_list", "page_count", "page_size", "pragma_list",
        "query_only", "recursive_triggers", "schema_version", "secure_delete", "synchronous",
        "temp_store", "trusted_schema", "user_version", "wal_autocheckpoint",
    ]
}
