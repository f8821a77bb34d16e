import CSQLite

/// A module that is registered with a connection: it creates the tables, and owns the struct of
/// functions for SQLite.
///
/// SQLite retains it while it is registered, and each table retains it.
final class TableModule {
    let make: (SQLTableConnection) throws -> TableObject
    let trust: SQLVirtualTableTrust
    let functions: UnsafeMutablePointer<sqlite3_module>

    init(
        kind: SQLVirtualTableKind, trust: SQLVirtualTableTrust, isWritable: Bool,
        isShadowName: (@convention(c) (UnsafePointer<CChar>?) -> Int32)?,
        make: @escaping (SQLTableConnection) throws -> TableObject
    ) {
        self.make = make
        self.trust = trust
        functions = .allocate(capacity: 1)
        functions.initialize(to: sqlite3_module())
        functions.pointee.iVersion = 3
        functions.pointee.xShadowName = isShadowName
        addTableFunctions(to: functions, kind)
        addCursorFunctions(to: functions)
        if isWritable { addWriteFunctions(to: functions) }
    }

    deinit {
        functions.deallocate()
    }
}

/// A table as SQLite sees it: its header, followed by the Swift objects.
private struct TableRecord {
    var header: sqlite3_vtab
    let object: Unmanaged<TableObject>
    let module: Unmanaged<TableModule>
}

/// A cursor as SQLite sees it: its header, followed by the Swift object.
private struct TableCursorRecord {
    var header: sqlite3_vtab_cursor
    let object: Unmanaged<TableCursorObject>
}

private typealias Connect =
    @convention(c) (
        OpaquePointer?, UnsafeMutableRawPointer?, Int32, UnsafePointer<UnsafePointer<CChar>?>?,
        UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
        UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
    ) -> Int32

private func addTableFunctions(
    to functions: UnsafeMutablePointer<sqlite3_module>, _ kind: SQLVirtualTableKind
) {
    let connect: Connect = { connectTable($0, $1, $2, $3, $4, $5, isCreating: false) }
    let create: Connect = { connectTable($0, $1, $2, $3, $4, $5, isCreating: true) }
    functions.pointee.xConnect = connect
    switch kind {
    case .created: functions.pointee.xCreate = create
    // SQLite recognizes an eponymous table by equal functions for xCreate and xConnect.
    case .eponymous: functions.pointee.xCreate = connect
    case .eponymousOnly: break
    }
    functions.pointee.xDisconnect = { releaseTable($0) }
    functions.pointee.xDestroy = { table in
        let code = withTable(table) { try $0.drop() }
        return code == SQLITE_OK ? releaseTable(table) : code
    }
    functions.pointee.xBestIndex = { table, info in
        guard let info else { return SQLITE_ERROR }
        return withTable(table) { try $0.plan(SQLIndexPlan(info)) }
    }
}

private func addCursorFunctions(to functions: UnsafeMutablePointer<sqlite3_module>) {
    functions.pointee.xOpen = { table, result in
        withTable(table) { object in
            let cursor = UnsafeMutablePointer<TableCursorRecord>.allocate(capacity: 1)
            do {
                let new = try object.makeCursor()
                cursor.initialize(
                    to: TableCursorRecord(
                        header: sqlite3_vtab_cursor(), object: .passRetained(new)))
            } catch {
                cursor.deallocate()
                throw error
            }
            result?.pointee = UnsafeMutableRawPointer(cursor)
                .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
        }
    }
    functions.pointee.xClose = { cursor in
        guard let record = cursorRecord(cursor) else { return SQLITE_OK }
        record.pointee.object.release()
        record.deallocate()
        return SQLITE_OK
    }
    functions.pointee.xFilter = { cursor, number, text, count, values in
        withCursor(cursor) {
            try $0.filter(
                plan: Int(number), text: text.map { String(cString: $0) },
                SQLArguments(count, values))
        }
    }
    functions.pointee.xNext = { cursor in withCursor(cursor) { try $0.next() } }
    functions.pointee.xEof = { cursor in
        guard let record = cursorRecord(cursor) else { return 1 }
        return record.pointee.object._withUnsafeGuaranteedRef { $0.isAtEnd ? 1 : 0 }
    }
    functions.pointee.xColumn = { cursor, context, index in
        withCursor(cursor) { try $0.column(at: Int(index), SQLRawCall(context)) }
    }
    functions.pointee.xRowid = { cursor, result in
        withCursor(cursor) { result?.pointee = $0.rowID }
    }
}

private func addWriteFunctions(to functions: UnsafeMutablePointer<sqlite3_module>) {
    functions.pointee.xUpdate = { table, count, values, rowID in
        withTable(table) { object in
            try change(object, SQLRawCall(nil, count, values), rowID)
        }
    }
    functions.pointee.xBegin = { table in withTable(table) { try $0.begin() } }
    functions.pointee.xSync = { table in withTable(table) { try $0.sync() } }
    functions.pointee.xCommit = { table in withTable(table) { $0.commit() } }
    functions.pointee.xRollback = { table in withTable(table) { $0.rollback() } }
    functions.pointee.xSavepoint = { table, number in
        withTable(table) { try $0.savepoint(Int(number)) }
    }
    functions.pointee.xRelease = { table, number in
        withTable(table) { try $0.release(savepoint: Int(number)) }
    }
    functions.pointee.xRollbackTo = { table, number in
        withTable(table) { try $0.rollback(toSavepoint: Int(number)) }
    }
}

/// Decodes the arguments of `xUpdate`: the rowid of the old row, that of the new row, and its
/// columns.
private func change(
    _ object: TableObject, _ call: SQLRawCall, _ result: UnsafeMutablePointer<Int64>?
) throws {
    guard call.count > 1 else { return try object.delete(rowID: call.int64(at: 0)) }
    let values = (2..<call.count).map { SQLValue(copying: call.argument(at: $0)) }
    if call.isNull(at: 0) {
        let rowID = call.isNull(at: 1) ? nil : call.int64(at: 1)
        result?.pointee = try object.insert(values, rowID: rowID)
    } else {
        try object.update(rowID: call.int64(at: 0), to: call.int64(at: 1), values)
    }
}

private func connectTable(
    _ handle: OpaquePointer?, _ data: UnsafeMutableRawPointer?, _ count: Int32,
    _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?, isCreating: Bool
) -> Int32 {
    guard let handle, let data else { return SQLITE_ERROR }
    let module = Unmanaged<TableModule>.fromOpaque(data)
    let strings = UnsafeBufferPointer(start: arguments, count: Int(count)).map {
        $0.map { String(cString: $0) } ?? ""
    }
    guard strings.count >= 3 else { return SQLITE_ERROR }
    do {
        let connection = SQLTableConnection(
            module: strings[0], database: strings[1], table: strings[2],
            arguments: Array(strings[3...]), isCreating: isCreating)
        let object = try module._withUnsafeGuaranteedRef { module in
            let object = try module.make(connection)
            try declare(object, module, handle)
            return object
        }
        let record = UnsafeMutablePointer<TableRecord>.allocate(capacity: 1)
        record.initialize(
            to: TableRecord(
                header: sqlite3_vtab(), object: .passRetained(object), module: module.retain()))
        result?.pointee = UnsafeMutableRawPointer(record)
            .assumingMemoryBound(to: sqlite3_vtab.self)
        return SQLITE_OK
    } catch {
        let failure = SQLFailure(error)
        message?.pointee = sqliteCopy(of: failure.message)
        return failure.code.rawValue
    }
}

private func declare(
    _ object: TableObject, _ module: TableModule, _ handle: OpaquePointer
) throws {
    let sql = object.declaration
    let code = sqlite3_declare_vtab(handle, sql)
    guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code, sql: sql) }
    switch module.trust {
    case .normal: break
    case .innocuous: _ = shim_vtab_config(handle, SQLITE_VTAB_INNOCUOUS)
    case .directOnly: _ = shim_vtab_config(handle, SQLITE_VTAB_DIRECTONLY)
    }
}

private func releaseTable(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    guard let table else { return SQLITE_OK }
    sqlite3_free(table.pointee.zErrMsg)
    let record = UnsafeMutableRawPointer(table).assumingMemoryBound(to: TableRecord.self)
    record.pointee.object.release()
    record.pointee.module.release()
    record.deallocate()
    return SQLITE_OK
}

/// Calls `body` with the table's object. An error becomes the table's message and the result code.
private func withTable(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ body: (TableObject) throws -> Void
) -> Int32 {
    guard let table else { return SQLITE_ERROR }
    let record = UnsafeMutableRawPointer(table).assumingMemoryBound(to: TableRecord.self)
    do {
        try record.pointee.object._withUnsafeGuaranteedRef { try body($0) }
        return SQLITE_OK
    } catch {
        return note(error, in: table)
    }
}

@inline(__always)
private func withCursor(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?,
    _ body: (TableCursorObject) throws -> Void
) -> Int32 {
    guard let record = cursorRecord(cursor) else { return SQLITE_ERROR }
    do {
        try record.pointee.object._withUnsafeGuaranteedRef { try body($0) }
        return SQLITE_OK
    } catch {
        return note(error, in: record.pointee.header.pVtab)
    }
}

private func note(_ error: any Error, in table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    let failure = SQLFailure(error)
    if let table {
        sqlite3_free(table.pointee.zErrMsg)
        table.pointee.zErrMsg = sqliteCopy(of: failure.message)
    }
    return failure.code.rawValue
}

private func cursorRecord(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
) -> UnsafeMutablePointer<TableCursorRecord>? {
    UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: TableCursorRecord.self)
}
