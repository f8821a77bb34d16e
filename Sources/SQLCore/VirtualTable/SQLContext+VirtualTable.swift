import CSQLite

extension SQLContext {
    /// Registers a kind of virtual table. `sqlite3_create_module_v2`
    ///
    /// - Parameters:
    ///   - name: as it is in `CREATE VIRTUAL TABLE t USING name(…)`; a module of the same name is
    ///     replaced.
    ///   - make: makes the object of a table; what it throws is the error of the statement.
    public func registerVirtualTable<Table: SQLVirtualTable>(
        _ name: String, _ make: @escaping (SQLTableConnection) throws -> Table
    ) throws {
        let module = TableModule(
            kind: Table.kind, trust: Table.trust, isWritable: false,
            isShadowName: Table.isShadowName
        ) { ReadableTableObject(try make($0)) }
        try register(module: name, module.functions, module)
    }

    /// Registers a kind of virtual table that can be written to. `sqlite3_create_module_v2`
    public func registerVirtualTable<Table: SQLWritableVirtualTable>(
        _ name: String, _ make: @escaping (SQLTableConnection) throws -> Table
    ) throws {
        let module = TableModule(
            kind: Table.kind, trust: Table.trust, isWritable: true,
            isShadowName: Table.isShadowName
        ) { WritableTableObject(try make($0)) }
        try register(module: name, module.functions, module)
    }

    /// Takes away a kind of virtual table; tables of it that are in use go on.
    /// `sqlite3_create_module_v2`
    public func removeVirtualTable(_ name: String) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let code = sqlite3_create_module_v2(handle, name, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }

    func register(
        module name: String, _ functions: UnsafePointer<sqlite3_module>, _ object: AnyObject
    ) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        // SQLite releases the object through the last argument even if registering fails.
        let code = sqlite3_create_module_v2(
            handle, name, functions, Unmanaged.passRetained(object).toOpaque(), releaseObject)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}
