/// The owner of a Fleece document's bytes and of the table that its dictionary keys refer to.
///
/// Values, arrays and dictionaries taken from it keep it alive.
public final class FleeceDocument: @unchecked Sendable {
    // Unchecked because of the pointer: the bytes are written once, before anyone sees them.

    /// The document's bytes, a copy of its own; those of the base stand before them.
    package let bytes: UnsafeRawBufferPointer
    /// The keys that integer keys stand for.
    public let sharedKeys: SharedKeys
    /// The document that marked pointers lead into.
    public let base: FleeceDocument?
    let rawRoot: RawValue
    /// The table of `sharedKeys`, which keeps it.
    @usableFromInline let keys: Unmanaged<SharedKeyTable>
    let hints: KeyHints
    /// The base's bytes, the document's, and the hints.
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies a document whose origin is trusted: only its root is looked for now.
    ///
    /// Reading stays inside the bytes even if they are corrupt; what cannot be read is then
    /// `undefined`, or an error where one can be thrown.
    ///
    /// - Parameters:
    ///   - source: the document's bytes.
    ///   - sharedKeys: the table that its numbered keys refer to.
    ///   - base: the document that extern pointers lead into, if there are any; it must have no
    ///     base itself. (The reference looks bases up in a global table.)
    ///
    /// Throws `.invalidData` if the bytes have no root.
    public convenience init(
        trusted source: [UInt8], sharedKeys: SharedKeys = SharedKeys(),
        base: FleeceDocument? = nil
    ) throws {
        let storage = try Self.room(for: source.count, after: base)
        UnsafeMutableRawBufferPointer(rebasing: storage[(base?.bytes.count ?? 0)...])
            .copyBytes(from: source)
        try self.init(
            owning: storage, count: source.count, sharedKeys: sharedKeys, base: base)
    }

    /// Copies a buffer of several values that have no common root, one of which is taken as it.
    ///
    /// Throws `.invalidData` if `offset` is no place for a value in the buffer.
    public convenience init(
        trusted source: [UInt8], rootAt offset: Int, sharedKeys: SharedKeys = SharedKeys()
    ) throws {
        let storage = try Self.room(for: source.count, after: nil)
        storage.copyBytes(from: source)
        try self.init(
            owning: storage, count: source.count, sharedKeys: sharedKeys, rootOffset: offset)
    }

    /// Copies borrowed bytes, as `init(trusted:sharedKeys:base:)` does; their root is where a
    /// document's is, or at `rootAt`.
    package convenience init(
        trusted source: UnsafeRawBufferPointer, rootAt offset: Int? = nil, sharedKeys: SharedKeys
    ) throws {
        let storage = try Self.room(for: source.count, after: nil)
        storage.copyMemory(from: source)
        try self.init(
            owning: storage, count: source.count, sharedKeys: sharedKeys, rootOffset: offset)
    }

    /// Room for a document behind a copy of its base, and for hints behind both.
    private static func room(
        for count: Int, after base: FleeceDocument?
    ) throws -> UnsafeMutableRawBufferPointer {
        guard base?.base == nil else {
            throw FleeceError(.invalidData, "a base must not have a base itself")
        }
        let baseCount = base?.bytes.count ?? 0
        let room = UnsafeMutableRawBufferPointer.allocate(
            byteCount: baseCount + count + KeyHints.count, alignment: 8)
        if let base { room.copyMemory(from: base.bytes) }
        return room
    }

    private init(
        owning storage: UnsafeMutableRawBufferPointer, count: Int, sharedKeys: SharedKeys,
        base: FleeceDocument? = nil, rootOffset: Int? = nil
    ) throws {
        let baseCount = base?.bytes.count ?? 0
        let end = baseCount + count
        let bytes = UnsafeRawBufferPointer(rebasing: storage[baseCount..<end])
        let root =
            if let rootOffset {
                Self.item(at: rootOffset, in: bytes)
            } else {
                RawValue.root(of: bytes, baseCount: baseCount)
            }
        guard let root, let room = storage.baseAddress else {
            storage.deallocate()
            throw FleeceError(.invalidData, "no Fleece root in \(bytes.count) bytes")
        }
        self.storage = storage
        self.bytes = bytes
        self.sharedKeys = sharedKeys
        keys = .passUnretained(sharedKeys.table)
        self.base = base
        rawRoot = root
        hints = KeyHints(at: room + end)
    }

    private static func item(at offset: Int, in bytes: UnsafeRawBufferPointer) -> RawValue? {
        guard let start = bytes.baseAddress, offset >= 0, offset % 2 == 0,
            offset <= bytes.count - 2, bytes.count <= FleeceLimits.wideReach,
            bytes[offset] & FleeceTag.pointerBit == 0
        else { return nil }
        return RawValue(base: start, offset: offset, limit: bytes.count)
    }

    deinit {
        storage.deallocate()
    }

    /// Lends the document's bytes, without those of its base, to `body`.
    public func withBytes<T, E: Error>(
        _ body: (UnsafeRawBufferPointer) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(self) }
        return try body(bytes)
    }

    /// The outermost value.
    public var root: FleeceValue { FleeceValue(document: self, raw: rawRoot) }

    /// Whether the outermost value is a dictionary.
    package var isDictionary: Bool { rawRoot.dictionary != nil }
}
