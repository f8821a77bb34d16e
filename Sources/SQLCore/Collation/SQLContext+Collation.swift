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
///
/// It returns a negative number, zero or a positive number, as in C. The strings are UTF-8, without
/// NUL at the end, and valid only during the call.
public typealias SQLRawComparison =
    @convention(c) (
        UnsafeMutableRawPointer?, Int32, UnsafeRawPointer?, Int32, UnsafeRawPointer?
    ) -> Int32

/// A collation in SQLite's C form, and the object that it receives as its first argument.
///
/// It is the result of the closure of ``SQLContext/setRawCollationNeeded(_:)``.
public struct SQLRawCollation {
    /// Retained as long as the collation is registered.
    public var state: AnyObject?
    /// The comparison; see ``SQLRawComparison``.
    public var compare: SQLRawComparison

    /// Creates a collation from a comparison and its state.
    ///
    /// - Parameters:
    ///   - state: An object that is retained as long as the collation is registered; nil for none.
    ///   - compare: Receives the state as its first argument, as an `Unmanaged` reference.
    public init(state: AnyObject?, compare: @escaping SQLRawComparison) {
        self.state = state
        self.compare = compare
    }
}

extension SQLContext {
    /// Registers a collation. `sqlite3_create_collation_v2`
    ///
    /// The order must be strict and must never change, since indexes depend on it: an index that
    /// was written in another order gives wrong results until `REINDEX`. The file can be used only
    /// by connections that have registered its collations.
    ///
    /// ```swift
    /// try database.registerCollation("numeric") { a, b in
    ///     (Int(a) ?? 0) - (Int(b) ?? 0)
    /// }
    /// try database.exec(sql: "CREATE TABLE part (number TEXT COLLATE numeric)")
    /// let parts = try database.selectAll(sql: "SELECT number FROM part ORDER BY number")
    /// ```
    /// Each comparison creates two Swift strings; ``registerByteCollation(_:_:)`` creates none.
    ///
    /// - Parameters:
    ///   - name: The name after `COLLATE`, which is not case-sensitive. A collation of this name is
    ///     replaced.
    ///   - compare: Returns a negative number, zero or a positive number if the first string is
    ///     before, equal to or after the second.
    /// - Throws: ``SQLError``: `.busy` if it would replace a collation while a statement runs,
    ///   `.misuse` for an empty name.
    public func registerCollation(
        _ name: String, _ compare: @escaping (String, String) -> Int
    ) throws {
        try registerByteCollation(name) { compare(text(of: $0), text(of: $1)) }
    }

    /// Registers a collation that compares UTF-8 bytes, which are not copied.
    /// `sqlite3_create_collation_v2`
    ///
    /// ```swift
    /// try database.registerByteCollation("by_length") { a, b in a.count - b.count }
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name after `COLLATE`.
    ///   - compare: Compares the UTF-8 of two strings; the buffers are valid only during the call.
    /// - Throws: ``SQLError``: `.busy` if it would replace a collation while a statement runs,
    ///   `.misuse` for an empty name.
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
    /// ```swift
    /// try database.registerRawCollation("bytes_descending") { _, count1, text1, count2, text2 in
    ///     guard let text1, let text2 else { return count2 - count1 }
    ///     let order = memcmp(text2, text1, Int(min(count1, count2)))
    ///     return order == 0 ? count2 - count1 : order
    /// }
    /// ```
    ///
    /// - Parameter state: An object that is retained as long as the collation is registered;
    ///   `compare` receives it as its first argument, an `Unmanaged` reference.
    /// - Parameters:
    ///   - name: The name after `COLLATE`.
    ///   - compare: The comparison; see ``SQLRawComparison``.
    /// - Throws: ``SQLError``: `.busy` if it would replace a collation while a statement runs,
    ///   `.misuse` for an empty name.
    public func registerRawCollation(
        _ name: String, state: AnyObject? = nil, _ compare: @escaping SQLRawComparison
    ) throws {
        try addCollation(name, state, compare, on: try connection.requireHandle())
    }

    /// Removes a collation; does nothing if there is no such collation. Throws `.busy` while a
    /// statement runs. `sqlite3_create_collation_v2`
    ///
    /// Statements that use the collation fail when they are compiled again.
    ///
    /// - Parameter name: The name after `COLLATE`.
    public func removeCollation(_ name: String) throws {
        try requireName(name)
        let handle = try connection.requireHandle()
        let code = sqlite3_create_collation_v2(handle, name, SQLITE_UTF8, nil, nil, nil)
        guard code == SQLITE_OK else { throw SQLError(handle: handle, code: code) }
    }

    /// Registers collations on demand, when a statement first names them.
    /// `sqlite3_collation_needed`
    ///
    /// It lets a program open files whose collations it does not know in advance, such as those of
    /// languages.
    ///
    /// ```swift
    /// try database.setCollationNeeded { name in
    ///     guard name.hasPrefix("reversed_") else { return nil }
    ///     return { a, b in a == b ? 0 : a > b ? -1 : 1 }
    /// }
    /// ```
    /// A statement with a collation that is not supplied fails with `.error`.
    ///
    /// - Parameter supply: Receives the unknown name and returns its comparison, or nil if there is
    ///   no such collation. It replaces the closure that was set before.
    /// - Throws: ``SQLError``: `.busy` if it would replace a closure while a statement runs.
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
    /// - Throws: ``SQLError``: `.busy` if it would replace a closure while a statement runs.
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
