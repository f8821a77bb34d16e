public import DocumentStore

/// The measurements of an OONI Probe: which descriptors were run, what came of them, and what is
/// still to be uploaded.
///
/// ```swift
/// let store = try OONIStore(path: "probe.cblite2")
/// let result = try store.write { transaction in
///     let card = OONIStore.DescriptorReference(name: "websites")
///     return try store.results.insert(card, at: now, in: transaction)
/// }
/// let newest = try store.read { try store.results.page(in: $0) }
/// ```
/// Everything is in collections of the scope `ooni` of one file, which other programs can open as
/// a Couchbase Lite database. Reading takes a `Snapshot`, changing a `Transaction`, so what belongs
/// together is seen and done together.
public struct OONIStore: Sendable {
    /// The file.
    public let file: DataFile
    let schema: ProbeSchema

    init(file: DataFile, schema: ProbeSchema) {
        (self.file, self.schema) = (file, schema)
    }

    /// Reads, without seeing what others write meanwhile.
    public func read<T>(_ body: (Snapshot) throws -> T) throws -> T { try file.read(body) }

    /// Changes; all of it, or nothing if `body` throws.
    @discardableResult
    public func write<T>(_ body: (Transaction) throws -> T) throws -> T { try file.write(body) }

    /// The same from a task, in which nothing waits for the disk.
    public func read<T: Sendable>(
        _ body: @escaping @Sendable (Snapshot) throws -> T
    ) async throws -> T {
        try await file.read(body)
    }

    /// The same from a task, in which nothing waits for the disk.
    @discardableResult
    public func write<T: Sendable>(
        _ body: @escaping @Sendable (Transaction) throws -> T
    ) async throws -> T {
        try await file.write(body)
    }
}
