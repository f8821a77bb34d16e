import CSQLite

/// Keeps a comparison alive for as long as SQLite has it registered.
private final class CollationBox {
    let compare: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int

    init(_ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int) {
        self.compare = compare
    }
}

/// A comparison in the shape of C: the state, and each text with its length before it.
///
/// Form it in nonisolated code only, as `SQLRawFunction`.
public typealias SQLRawComparison =
    @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
    ) -> Int32

/// An order in the shape of C, and the object it gets as its first argument.
public struct SQLRawCollation {
    /// Kept as long as the collation.
    public var state: AnyObject?
    /// See `SQLRawComparison`.
    public var compare: SQLRawComparison

    /// Puts the two together.
    public init(state: AnyObject?, compare: @escaping SQLRawComparison) {
        self.state = state
        self.compare = compare
    }
}

extension SQLContext {
    /// Registers a collation: negative, zero or positive, as the first text comes before the
    /// second, is equal to it, or comes after it. `sqlite3_create_collation_v2`
    ///
    /// It must be a strict order and always the same: indexes are built on it. Throws `.busy` when
    /// it would replace one while a statement runs.
    public func registerCollation(
        _ name: String, _ compare: @escaping (String, String) -> Int
    ) throws {
        try registerByteCollation(name) { compare(text(of: $0), text(of: $1)) }
    }

    /// Registers a collation by their UTF-8, which is not copied.
    /// `sqlite3_create_collation_v2`
    public func registerByteCollation(
        _ name: String,
        _ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    ) throws {
        try addCollation(
            name, CollationBox(compare), compareWithBox, on: try connection.requireHandle())
    }

    /// Registers an order in the shape of C: a comparison costs what it costs in C.
    /// `sqlite3_create_collation_v2`
    ///
    /// - Parameter state: an object that is kept as long as the collation; `compare` gets it as its
    ///   first argument, an `Unmanaged` reference.
    public func registerRawCollation(
        _ name: String, state: AnyObject? = nil, _ compare: @escaping SQLRawComparison
    ) throws {
        try addCollation(name, state, compare, on: try connection.requireHandle())
    }

    /// Takes away a collation; does nothing if there is none. Throws `.busy` while a
    /// statement runs. `sqlite3_create_collation_v2`
    public func removeCollation(_ name: String) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let code = sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }

    /// Supplies collations when a statement first names them. `sqlite3_collation_needed`
    ///
    /// - Parameter supply: gets the unknown name, and returns its order, or nil if it does not know
    ///   it either. The one that was set before is dropped.
    public func setCollationNeeded(
        _ supply: @escaping (_ name: String) -> ((String, String) -> Int)?
    ) throws {
        try setCollationSupply { name in
            guard let compare = supply(name) else { return nil }
            let box = CollationBox { compare(text(of: $0), text(of: $1)) }
            return SQLRawCollation(state: box, compare: compareWithBox)
        }
    }

    /// Supplies orders in the shape of C when a statement first names them.
    /// `sqlite3_collation_needed`
    ///
    /// - Parameter supply: gets the unknown name, and returns its order, or nil if it does not know
    ///   it either. The one that was set before is dropped.
    public func setRawCollationNeeded(
        _ supply: @escaping (_ name: String) -> SQLRawCollation?
    ) throws {
        try setCollationSupply(supply)
    }

    private func setCollationSupply(_ supply: @escaping CollationSupply.Supply) throws {
        let handle = try connection.requireHandle()
        let box = CollationSupply(supply)
        // SQLite gives this callback no destructor: a function's one releases the box instead,
        // when the connection is closed or another box takes its place.
        try addFunction(
            ownFunctionPrefix + "collation_needed", argumentCount: 0, flags: .directOnly, state: box
        ) { context, _, _ in SQLRawCall(context).setNull() }
        let pointer = Unmanaged.passUnretained(box).toOpaque()
        let code = sqlite3_collation_needed(handle, pointer, supplyCollation)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }
}

private final class CollationSupply {
    typealias Supply = (String) -> SQLRawCollation?

    let supply: Supply

    init(_ supply: @escaping Supply) {
        self.supply = supply
    }
}

private func supplyCollation(
    _ box: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ encoding: Int32,
    _ name: UnsafePointer<CChar>?
) {
    guard let box, let handle, let name else { return }
    let supply = Unmanaged<CollationSupply>.fromOpaque(box).takeUnretainedValue()
    let text = String(cString: name)
    guard let order = supply.supply(text) else { return }
    // Without the collation, SQLite itself reports that it is missing.
    try? addCollation(text, order.state, order.compare, on: handle)
}

private func text(of bytes: UnsafeRawBufferPointer) -> String {
    String(decoding: bytes, as: UTF8.self)
}

/// The comparison of a `CollationBox`.
private func compareWithBox(
    _ box: UnsafeMutableRawPointer?, _ firstCount: Int32, _ first: UnsafeRawPointer?,
    _ secondCount: Int32, _ second: UnsafeRawPointer?
) -> Int32 {
    guard let box else { return 0 }
    return Unmanaged<CollationBox>.fromOpaque(box)._withUnsafeGuaranteedRef {
        let result = $0.compare(
            UnsafeRawBufferPointer(start: first, count: first == nil ? 0 : Int(firstCount)),
            UnsafeRawBufferPointer(start: second, count: second == nil ? 0 : Int(secondCount)))
        return Int32(result.signum())
    }
}

private func addCollation(
    _ name: String, _ state: AnyObject?, _ compare: @escaping SQLRawComparison,
    on handle: OpaquePointer
) throws {
    try requireName(name)
    let pointer = state.map { Unmanaged.passRetained($0).toOpaque() }
    let code = sqlite3_create_collation_v2(
        handle, name, SQLITE_UTF8, pointer, compare, releaseObject)
    guard code == SQLITE_OK else {
        // Unlike a function's, this state is not released when registering fails.
        releaseObject(pointer)
        throw SQLError(handle: handle, code: code)
    }
}
