import CSQLite

extension SQLContext {
    /// Lets FTS3 and FTS4 tables of this connection name a tokenizer. `fts3_tokenizer()`
    ///
    /// What the tokenizer throws keeps its code; FTS3 has no place for its message. A process can
    /// have 24 types of tokenizers: throws `.full` beyond that.
    public func registerTokenizer<Tokenizer: SQLTokenizer>(
        _ name: String, _ type: Tokenizer.Type
    ) throws {
        let module = try TokenizerSlots.module(for: type) {
            StringTokenizerObject(try Tokenizer(arguments: $0))
        }
        try register(tokenizer: module, name)
    }

    /// Lets FTS3 and FTS4 tables of this connection name a tokenizer without copies.
    /// `fts3_tokenizer()`
    public func registerRawTokenizer<Tokenizer: SQLRawTokenizer>(
        _ name: String, _ type: Tokenizer.Type
    ) throws {
        let module = try TokenizerSlots.module(for: type) {
            RawTokenizerObject(try Tokenizer(arguments: $0))
        }
        try register(tokenizer: module, name)
    }

    /// The module's address is given as a blob, which SQLite takes only while it is told to: an
    /// address that came from SQL could be anything. `SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER`
    private func register(
        tokenizer module: UnsafePointer<shim_tokenizer_module>, _ name: String
    ) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let option = SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER
        var state: Int32 = 0
        _ = shim_db_config_int(handle, option, 1, &state)
        // Off for good, even where the library was compiled with it on.
        defer { _ = shim_db_config_int(handle, option, 0, &state) }
        let statement = try prepare(sql: "SELECT fts3_tokenizer(?1, ?2)")
        try statement.bind(name, at: 1)
        try withUnsafeBytes(of: module) { try statement.bind($0, at: 2) }
        while try statement.next() {}
    }
}
