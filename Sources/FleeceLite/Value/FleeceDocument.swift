internal import Synchronization

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
    let keyCache: InlineKeyCache
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
    /// Throws `.invalidData` if `offset` is not a place for a value in the buffer.
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
            byteCount: baseCount + count + InlineKeyCache.count, alignment: 8)
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
        keyCache = InlineKeyCache(at: room + end)
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

extension FleeceDocument {
    /// A document of its own with a borrowed value as root, for those who may keep it.
    ///
    /// The shared keys are those of the value's document. All bytes before the value's end are
    /// copied, since what it refers to stands there.
    ///
    /// Throws `.invalidData` for a value at an odd place, or one that lies in a base.
    package convenience init(copying value: UnsafeFleeceValue) throws {
        let bytes = UnsafeRawBufferPointer(start: value.raw.base, count: value.raw.limit)
        try self.init(
            trusted: bytes, rootAt: value.raw.offset,
            sharedKeys: value.document._withUnsafeGuaranteedRef { $0.sharedKeys })
    }
}

extension FleeceValue {
    /// Lends the value without ownership, for what takes it in that form.
    package func withUnsafeValue<T, E: Error>(
        _ body: (UnsafeFleeceValue) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(document) }
        return try body(UnsafeFleeceValue(raw, .passUnretained(document)))
    }
}

/// At which pair of a dictionary keys were found last, in one document or those of one decoder.
///
/// The dictionaries of a document tend to have the same keys in the same order, so that one
/// comparison at the remembered pair does for a search. A hint is looked at before it is believed,
/// so it may be old, or come from another key or another thread.
struct InlineKeyCache: @unchecked Sendable {
    // Unchecked because of the pointer: what it leads to is atomic.

    /// So many. Keys that have the same place displace each other.
    static let count = 64

    /// Pair 0 is 1; 0 is not a hint. Atomic, since threads that read the same document write here.
    private let places: UnsafeMutablePointer<Atomic<UInt8>>

    /// Takes `count` bytes, which must outlive the hints.
    init(at memory: UnsafeMutableRawPointer) {
        places = memory.bindMemory(to: Atomic<UInt8>.self, capacity: Self.count)
        for index in 0..<Self.count { (places + index).initialize(to: Atomic(0)) }
    }

    /// Hints in memory of their own, until `deallocate()`.
    static func allocated() -> InlineKeyCache {
        InlineKeyCache(at: .allocate(byteCount: count, alignment: 1))
    }

    func deallocate() { places.deallocate() }

    /// The place of a key's hint.
    @inline(__always)
    static func slot(of key: KeyWords) -> Int {
        let mixed = (key.low ^ key.high &<< 1) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 58)
    }

    /// The pair to look at first, -1 if there is none.
    @inline(__always)
    func pair(_ slot: Int) -> Int {
        Int(places[slot].load(ordering: .relaxed)) &- 1
    }

    /// Remembers a pair, if it is one of the first 255.
    @inline(__always)
    func remember(_ pair: Int, _ slot: Int) {
        let place = UInt8(truncatingIfNeeded: pair &+ 1)
        // Threads share the line of the cache that this is in: what stands there is left alone.
        guard pair < 255, places[slot].load(ordering: .relaxed) != place else { return }
        places[slot].store(place, ordering: .relaxed)
    }
}
