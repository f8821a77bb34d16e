import CSQLite

extension SQLStatement {
    /// Binds an object that only functions which know the type name can see; to all others it is
    /// `NULL`. `sqlite3_bind_pointer`
    ///
    /// It is kept until the parameter is bound anew or the statement goes. A raw function gets it
    /// with `SQLRawCall.pointer(at:type:)`, as an `Unmanaged` reference.
    public func bindPointer(_ object: AnyObject, type: StaticString, at index: Int) throws {
        // The statement notes that the parameter is bound, and refuses one that does not exist.
        try bindNull(at: index)
        let pointer = Unmanaged.passRetained(object).toOpaque()
        // SQLite releases the object even if binding fails.
        let code = type.utf8Start.withMemoryRebound(
            to: CChar.self, capacity: type.utf8CodeUnitCount
        ) {
            sqlite3_bind_pointer(handle, Int32(clamping: index), pointer, $0, releaseObject)
        }
        guard code == SQLITE_OK else {
            throw SQLError(handle: sqlite3_db_handle(handle), code: code, sql: sql)
        }
    }
}
