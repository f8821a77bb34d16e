extension SQLContext {
    /// Adds another database file to this connection. `ATTACH`
    ///
    /// - Parameters:
    ///   - path: the file, made if there is none; nil for a database in memory.
    ///   - name: what its tables are called by: `name.table`.
    public func attach(path: String?, as name: String) throws {
        guard !(path ?? "").utf8.contains(0) else {
            throw SQLError(code: .cannotOpen, message: "the path has a NUL byte")
        }
        try exec(
            sql: "ATTACH ? AS ?", parameters: [.text(path ?? ":memory:"), .text(name)])
    }

    /// Takes a database away that was attached. `DETACH`
    ///
    /// Throws `SQLError` while a transaction or statement uses it.
    public func detach(_ name: String) throws {
        try exec(sql: "DETACH ?", parameters: [.text(name)])
    }
}
