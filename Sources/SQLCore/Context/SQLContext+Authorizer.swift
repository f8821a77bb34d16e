extension SQLContext {
    /// Runs `body`; the statements that are compiled in it do only what `isAllowed` allows, those
    /// that virtual tables and functions run included. `sqlite3_set_authorizer`
    ///
    /// Statements that were compiled before are not asked again. A refused one fails while it is
    /// compiled, before anything of it has happened; `SQLAuthorizer.refused` is its action.
    ///
    /// - Parameter isAllowed: called while SQLite compiles; it must not use the context.
    package func authorizing<T>(
        _ isAllowed: @escaping (SQLAction) -> Bool, _ body: (SQLAuthorizer) throws -> T
    ) throws -> T {
        _ = try connection.requireHandle()
        let outer = connection.authorizer
        let authorizer = SQLAuthorizer(isAllowed)
        connection.setAuthorizer(authorizer)
        defer { connection.setAuthorizer(outer) }
        return try body(authorizer)
    }
}
