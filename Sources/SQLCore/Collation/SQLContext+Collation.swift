import CSQLite

/// Keeps a comparison alive for as long as SQLite has it registered.
private final class CollationBox {
    let compare: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int

    init(_ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int) {
        self.compare = compare
    }
}

/// A comparison in SQLite's C form: the state, and each string preceded by its length.
///
/// Create it only in nonisolated code, like `SQLRawFunction`.
public typealias SQLRawComparison =
    @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
    ) -> Int32

/// A collation in SQLite's C form, and the object that it receives as its first argument.
public struct SQLRawCollation {
    /// Retained as long as the collation is registered.
    public var state: AnyObject?
    /// See `SQLRawComparison`.
    public var compare: SQLRawComparison

    /// Creates a collation from a comparison and its state.
    public init(state: AnyObject?, compare: @escaping SQLRawComparison) {
        self.state = state
        self.compare = compare
    }
}

extension SQLContext {
    /// Registers a collation. `sqlite3_create_collation_v2`
    ///
    /// The order must be strict and must never change, since indexes depend on it. Throws `.busy`
    /// if it would replace a collation while a statement runs.
    ///
    /// - Parameter compare: Returns a negative number, zero or a positive number if the first
    ///   string is before, equal to or after the second.
    public func registerCollation(
        _ name: String, _ compare: @escaping (String, String) -> Int
    ) throws {
        try registerByteCollation(name) { compare(text(of: $0), text(of: $1)) }
    }

    /// Registers a collation that compares UTF-8 bytes, which are not copied.
    /// `sqlite3_create_collation_v2`
    public func registerByteCollation(
        _ name: String,
        _ compare: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
    ) throws {
        try addCollation(
            name, CollationBox(compare), compareWithBox, on: try connection.requireHandle())
    }

    /// Registers a collation with the signature of SQLite's C interface. A comparison has no
    /// overhead over C. `sqlite3_create_collation_v2`
    ///
    /// - Parameter state: An object that is retained as long as the collation is registered;
    ///   `compare` receives it as its first argument, an `Unmanaged` reference.
    public func registerRawCollation(
        _ name: String, state: AnyObject? = nil, _ compare: @escaping SQLRawComparison
    ) throws {
        try addCollation(name, state, compare, on: try connection.requireHandle())
    }

    /// Removes a collation; does nothing if there is no such collation. Throws `.busy` while a
    /// statement runs. `sqlite3_create_collation_v2`
    public func removeCollation(_ name: String) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let code = sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }

    /// Registers collations on demand, when a statement first names them.
    /// `sqlite3_collation_needed`
    ///
    /// - Parameter supply: Receives the unknown name and returns its comparison, or nil if there is
    ///   no such collation. It replaces the closure that was set before.
    public func setCollationNeeded(
        _ supply: @escaping (_ name: String) -> ((String, String) -> Int)?
    ) throws {
        try setCollationSupply { name in
            guard let compare = supply(name) else { return nil }
            let box = CollationBox { compare(text(of: $0), text(of: $1)) }
            return SQLRawCollation(state: box, compare: compareWithBox)
        }
    }

    /// Registers collations in SQLite's C form on demand, when a statement first names them.
    /// `sqlite3_collation_needed`
    ///
    /// - Parameter supply: Receives the unknown name and returns its collation, or nil if there is
    ///   none. It replaces the closure that was set before.
    public func setRawCollationNeeded(
        _ supply: @escaping (_ name: String) -> SQLRawCollation?
    ) throws {
        try setCollationSupply(supply)
    }

    private func setCollationSupply(_ supply: @escaping CollationSupply.Supply) throws {
        let handle = try connection.requireHandle()
        let box = CollationSupply(supply)
        // This callback has no destructor: that of a function releases the box instead, when the
        // connection is closed or another box replaces it.
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
    guard let collation = supply.supply(text) else { return }
    // Without the collation, SQLite itself reports that it is missing.
    try? addCollation(text, collation.state, collation.compare, on: handle)
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
        // Unlike that of a function, SQLite does not release this state if registering fails.
        releaseObject(pointer)
        throw SQLError(handle: handle, code: code)
    }
}
