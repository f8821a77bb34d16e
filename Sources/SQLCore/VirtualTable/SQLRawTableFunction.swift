import CSQLite

/// A table-valued function in the shape of C, whose cursors are plain memory: for hot ones.
///
/// The functions get the cursor that `SQLRawCursor` finds the state of, and return a code of
/// SQLite's, 0 if all is well. Form them in nonisolated code only, as `SQLRawFunction`.
public struct SQLRawTableFunction: Sendable {
    /// Begins a search: the cursor, how many arguments are given (twice, with a text that means
    /// nothing between) and their values. It is called again for each search. `xFilter`
    public typealias Filter =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32,
            UnsafeMutablePointer<OpaquePointer?>?
        ) -> Int32
    /// Goes to the next row, or tells with 1 that there is none. `xNext`, `xEof`, `xClose`
    public typealias Step = @convention(c) (UnsafeMutableRawPointer?) -> Int32
    /// Gives a column: the cursor, the context for `SQLRawCall`, the column's index. `xColumn`
    public typealias Column =
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, Int32) -> Int32
    /// Gives the row's number, different for each row of a search. `xRowid`
    public typealias RowID =
        @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<Int64>?) -> Int32

    /// See `Filter`.
    public var filter: Filter
    /// Goes to the next row.
    public var next: Step
    /// Whether there is no row any more: 1 or 0.
    public var isAtEnd: Step
    /// See `Column`; parameters are columns too, after the others.
    public var column: Column
    /// See `RowID`.
    public var rowID: RowID
    /// Frees what the state points to; nil if there is nothing.
    public var close: Step?

    /// Makes a table-valued function of its parts.
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

/// Finds the state of a raw table-valued function's cursor.
@frozen
public enum SQLRawCursor {
    /// The state lies behind SQLite's own part of the cursor, aligned as malloc's memory is.
    static let offset = 16

    /// The state, which is zeros at first. `cursor` is the first argument of each function.
    @inlinable
    public static func state<State: BitwiseCopyable>(
        _ cursor: UnsafeMutableRawPointer?, as type: State.Type
    ) -> UnsafeMutablePointer<State> {
        (cursor.unsafelyUnwrapped + 16).assumingMemoryBound(to: State.self)
    }

    /// Lends the object that the function was registered with, unretained.
    ///
    /// `type` must be its class: nothing is checked. Without an object, the result is nil.
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

    /// Says why a function of the cursor returns an error code. `sqlite3_vtab.zErrMsg`
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
    ///   - parameters: the names of its parameters, which are also hidden columns.
    ///   - required: how many of them must be given; all unless said otherwise.
    ///   - state: the type that `SQLRawCursor.state(_:as:)` is asked for.
    ///   - object: what `SQLRawCursor.withObject(_:as:_:)` lends, released with the function.
    ///   - trust: where it may be used.
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

/// A raw module as it is registered with one connection.
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
        // The cursor's type is the only difference, and a pointer is a pointer.
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
    // Between SQLite's part, which is one pointer, and the state.
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
