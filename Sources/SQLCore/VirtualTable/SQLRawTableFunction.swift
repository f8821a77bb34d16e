import CSQLite

/// A table-valued function in SQLite's C form, whose cursors are plain memory: for functions that
/// must be fast.
///
/// Each function receives the cursor, whose state ``SQLRawCursor`` returns, and returns an SQLite
/// result code, 0 on success. Create them only in nonisolated code, like ``SQLRawFunction``.
///
/// ```swift
/// struct State { var next, end: Int64 }
/// let countdown = SQLRawTableFunction(
///     filter: { cursor, _, _, count, arguments in
///         let call = SQLRawCall(nil, count, arguments)
///         SQLRawCursor.state(cursor, as: State.self).pointee = State(
///             next: call.int64(at: 0), end: 0)
///         return 0
///     },
///     next: { cursor in
///         SQLRawCursor.state(cursor, as: State.self).pointee.next -= 1
///         return 0
///     },
///     isAtEnd: { cursor in
///         let state = SQLRawCursor.state(cursor, as: State.self).pointee
///         return state.next < state.end ? 1 : 0
///     },
///     column: { cursor, context, _ in
///         let state = SQLRawCursor.state(cursor, as: State.self).pointee
///         SQLRawCall(context).setResult(state.next)
///         return 0
///     },
///     rowID: { cursor, rowID in
///         rowID?.pointee = SQLRawCursor.state(cursor, as: State.self).pointee.next
///         return 0
///     })
/// try database.registerRawTableFunction(
///     "countdown", columns: ["n"], parameters: ["start"], state: State.self, countdown)
/// let numbers = try database.selectAll(sql: "SELECT n FROM countdown(10)")
/// ```
/// ``SQLContext/registerTableFunction(_:columns:parameters:required:rows:)`` is the form without
/// pointers.
public struct SQLRawTableFunction: Sendable {
    /// Starts a scan. The arguments are the cursor, the number of arguments, an unused string, the
    /// number of arguments again, and their values. It is called once for each scan. `xFilter`
    public typealias Filter =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32,
            UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32
    /// Advances the cursor, returns whether it is at its end, or closes it. `xNext`, `xEof`,
    /// `xClose`
    public typealias Step = @convention(c) (UnsafeMutableRawPointer?) -> Int32
    /// Sets a column as the result. The arguments are the cursor, the context for `SQLRawCall`, and
    /// the index of the column. `xColumn`
    public typealias Column =
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, Int32) -> Int32
    /// Stores the rowid, which is unique in a scan. `xRowid`
    public typealias RowID =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int64>?) -> Int32

    /// Starts a scan: stores the arguments in the state, and moves to the first row. See
    /// ``Filter``.
    public var filter: Filter
    /// Advances to the next row.
    public var next: Step
    /// Returns 1 if the cursor is past the last row, else 0.
    public var isAtEnd: Step
    /// Sets a column as the result; the parameters are columns, too, after the others. See
    /// ``Column``.
    public var column: Column
    /// Stores the rowid, which is unique in a scan. See ``RowID``.
    public var rowID: RowID
    /// Frees memory to which the state points; nil if there is none.
    public var close: Step?

    /// Creates a table-valued function from its parts.
    ///
    /// - Parameters:
    ///   - filter: Starts a scan.
    ///   - next: Advances to the next row.
    ///   - isAtEnd: Returns 1 if the cursor is past the last row, else 0.
    ///   - column: Sets a column as the result.
    ///   - rowID: Stores the rowid.
    ///   - close: Frees memory to which the state points; nil if there is none.
    public init(
        filter: @escaping Filter, next: @escaping Step, isAtEnd: @escaping Step,
        column: @escaping Column, rowID: @escaping RowID, close: Step? = nil
    ) {
        self.filter = filter
        self.next = next
        self.isAtEnd = isAtEnd
        self.column = column
        self.rowID = rowID
        self.close = close
    }
}

/// Access to the state of a raw table-valued function's cursor.
///
/// The state follows SQLite's part of the cursor in memory, so that no allocation besides SQLite's
/// own is needed.
@frozen
public enum SQLRawCursor {
    /// The offset of the state, which follows SQLite's part of the cursor and is aligned like
    /// memory from malloc.
    static let offset = 16

    /// Returns the state, which is initially zeroed.
    ///
    /// - Parameters:
    ///   - cursor: The first argument of each function.
    ///   - type: The type with which the function was registered; it is not checked.
    @inlinable
    public static func state<State: BitwiseCopyable>(
        _ cursor: UnsafeMutableRawPointer?, as type: State.Type
    ) -> UnsafeMutablePointer<State> {
        (cursor.unsafelyUnwrapped + 16).assumingMemoryBound(to: State.self)
    }

    /// Calls `body` with the object that the function was registered with, without retaining it.
    ///
    /// - Parameters:
    ///   - cursor: The first argument of each function.
    ///   - type: The class of the object; it is not checked.
    ///   - body: Called with the object.
    /// - Returns: The result of `body`, or nil if the function was registered without an object.
    @inlinable
    public static func withObject<Object: AnyObject, Result>(
        _ cursor: UnsafeMutableRawPointer?, as type: Object.Type,
        _ body: (Object) throws -> Result
    ) rethrows -> Result? {
        let object = cursor.unsafelyUnwrapped.load(
            fromByteOffset: 8, as: UnsafeMutableRawPointer?.self)
        guard let object else { return nil }
        return try Unmanaged<Object>.fromOpaque(object)._withUnsafeGuaranteedRef { try body($0) }
    }

    /// Sets the message for the error code that a function of the cursor returns.
    /// `sqlite3_vtab.zErrMsg`
    ///
    /// ```swift
    /// let next: SQLRawTableFunction.Step = { cursor in
    ///     SQLRawCursor.setError(cursor, "the list has ended unexpectedly")
    ///     return SQLResultCode.error.rawValue
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - cursor: The first argument of each function.
    ///   - message: The message of the ``SQLError`` that the statement throws.
    public static func setError(_ cursor: UnsafeMutableRawPointer?, _ message: String) {
        guard let cursor = cursor?.assumingMemoryBound(to: sqlite3_vtab_cursor.self),
            let table = cursor.pointee.pVtab
        else { return }
        sqlite3_free(table.pointee.zErrMsg)
        table.pointee.zErrMsg = sqliteCopy(of: message)
    }
}

extension SQLContext {
    /// Registers a raw table-valued function. `sqlite3_create_module_v2`
    ///
    /// - Parameters:
    ///   - name: The name of the function in SQL.
    ///   - columns: The names of the columns.
    ///   - parameters: The names of the parameters, which are also hidden columns.
    ///   - required: The number of required parameters; all by default.
    ///   - state: The type of the state for `SQLRawCursor.state(_:as:)`.
    ///   - object: An object for `SQLRawCursor.withObject(_:as:_:)`; released with the function.
    ///   - trust: Where SQLite permits its use.
    ///   - function: The function.
    /// - Throws: ``SQLError``: `.misuse` for an empty name or on a closed context.
    public func registerRawTableFunction<State: BitwiseCopyable>(
        _ name: String, columns: [String], parameters: [String], required: Int? = nil,
        state: State.Type, object: AnyObject? = nil, trust: SQLVirtualTableTrust = .normal,
        _ function: SQLRawTableFunction
    ) throws {
        let module = RawTableModule(
            shape: TableParameters(
                columns: columns, parameters: parameters, required: required ?? parameters.count),
            stateSize: MemoryLayout<State>.size, object: object, trust: trust, function)
        try register(module: name, module.functions, module)
    }
}

/// A raw module that is registered with a connection.
private final class RawTableModule {
    let shape: TableParameters
    let cursorSize: Int
    let object: AnyObject?
    let trust: SQLVirtualTableTrust
    let close: SQLRawTableFunction.Step?
    let functions: UnsafeMutablePointer<sqlite3_module>

    init(
        shape: TableParameters, stateSize: Int, object: AnyObject?, trust: SQLVirtualTableTrust,
        _ function: SQLRawTableFunction
    ) {
        self.shape = shape
        self.object = object
        self.trust = trust
        close = function.close
        cursorSize = SQLRawCursor.offset + stateSize
        functions = .allocate(capacity: 1)
        functions.initialize(to: sqlite3_module())
        functions.pointee.iVersion = 1
        functions.pointee.xConnect = { connect($0, $1, $4, $5) }
        functions.pointee.xDisconnect = { disconnect($0) }
        functions.pointee.xBestIndex = { plan($0, $1) }
        functions.pointee.xOpen = { open($0, $1) }
        functions.pointee.xClose = { closeCursor($0) }
        // The types differ only in that of the cursor's pointer.
        functions.pointee.xFilter = unsafeBitCast(function.filter, to: Filter.self)
        functions.pointee.xNext = unsafeBitCast(function.next, to: Step.self)
        functions.pointee.xEof = unsafeBitCast(function.isAtEnd, to: Step.self)
        functions.pointee.xColumn = unsafeBitCast(function.column, to: Column.self)
        functions.pointee.xRowid = unsafeBitCast(function.rowID, to: RowID.self)
    }

    deinit {
        functions.deallocate()
    }
}

private typealias Cursor = UnsafeMutablePointer<sqlite3_vtab_cursor>
private typealias Filter =
    @convention(c) (
        Cursor?, Int32, UnsafePointer<CChar>?, Int32, UnsafeMutablePointer<OpaquePointer?>?
    ) -> Int32
private typealias Step = @convention(c) (Cursor?) -> Int32
private typealias Column = @convention(c) (Cursor?, OpaquePointer?, Int32) -> Int32
private typealias RowID = @convention(c) (Cursor?, UnsafeMutablePointer<Int64>?) -> Int32

private struct RawTableRecord {
    var header: sqlite3_vtab
    let module: Unmanaged<RawTableModule>
}

private func record(
    of table: UnsafeMutablePointer<sqlite3_vtab>?
) -> UnsafeMutablePointer<RawTableRecord>? {
    UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: RawTableRecord.self)
}

private func connect(
    _ handle: OpaquePointer?, _ data: UnsafeMutableRawPointer?,
    _ result: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
    _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
    guard let handle, let data else { return SQLITE_ERROR }
    let module = Unmanaged<RawTableModule>.fromOpaque(data)
    let sql = module._withUnsafeGuaranteedRef { $0.shape.declaration }
    let code = sqlite3_declare_vtab(handle, sql)
    guard code == SQLITE_OK else {
        message?.pointee = sqliteCopy(of: SQLError(handle: handle, code: code).message)
        return code
    }
    switch module._withUnsafeGuaranteedRef({ $0.trust }) {
    case .normal: break
    case .innocuous: _ = shim_vtab_config(handle, SQLITE_VTAB_INNOCUOUS)
    case .directOnly: _ = shim_vtab_config(handle, SQLITE_VTAB_DIRECTONLY)
    }
    let record = UnsafeMutablePointer<RawTableRecord>.allocate(capacity: 1)
    record.initialize(to: RawTableRecord(header: sqlite3_vtab(), module: module.retain()))
    result?.pointee = UnsafeMutableRawPointer(record).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
}

private func disconnect(_ table: UnsafeMutablePointer<sqlite3_vtab>?) -> Int32 {
    guard let record = record(of: table) else { return SQLITE_OK }
    sqlite3_free(record.pointee.header.zErrMsg)
    record.pointee.module.release()
    record.deallocate()
    return SQLITE_OK
}

private func plan(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?, _ info: UnsafeMutablePointer<sqlite3_index_info>?
) -> Int32 {
    guard let record = record(of: table), let info else { return SQLITE_ERROR }
    do {
        try record.pointee.module._withUnsafeGuaranteedRef {
            try $0.shape.plan(SQLIndexPlan(info))
        }
        return SQLITE_OK
    } catch {
        return SQLFailure(error).code.rawValue
    }
}

private func open(
    _ table: UnsafeMutablePointer<sqlite3_vtab>?,
    _ result: UnsafeMutablePointer<Cursor?>?
) -> Int32 {
    guard let record = record(of: table), let result else { return SQLITE_ERROR }
    let (size, object) = record.pointee.module._withUnsafeGuaranteedRef {
        ($0.cursorSize, $0.object.map { Unmanaged.passUnretained($0).toOpaque() })
    }
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    // The object is stored between SQLite's part, which is one pointer, and the state.
    memory.storeBytes(of: object, toByteOffset: 8, as: UnsafeMutableRawPointer?.self)
    result.pointee = memory.assumingMemoryBound(to: sqlite3_vtab_cursor.self)
    return SQLITE_OK
}

private func closeCursor(_ cursor: Cursor?) -> Int32 {
    guard let cursor else { return SQLITE_OK }
    let close = record(of: cursor.pointee.pVtab)?.pointee.module
        ._withUnsafeGuaranteedRef { $0.close }
    let code = close?(cursor) ?? SQLITE_OK
    UnsafeMutableRawPointer(cursor).deallocate()
    return code
}
