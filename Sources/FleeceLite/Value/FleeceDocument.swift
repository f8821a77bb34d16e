internal import Synchronization

/// A Fleece document: an immutable buffer of bytes, with the table of shared keys to which its keys
/// refer.
///
/// A document is the root of everything that is read: it owns a copy of its bytes, and ``root``
/// leads to the values in them. Values, arrays and dictionaries that are taken from a document
/// refer to its bytes without copying them, and retain the document. They stay valid after the last
/// reference to the document itself is gone.
///
/// ```swift
/// let document = try FleeceDocument(json: #"{"name": {"first": "Ada"}, "born": 1815}"#)
/// let first = document.root["name"]?["first"]?.string
/// let born = document.root["born"]?.int
/// ```
///
/// Choose the initializer by the origin of the bytes. ``init(trusted:sharedKeys:base:)`` is for
/// bytes that this program has written, such as the body of a stored document: it only locates the
/// root. ``init(validating:sharedKeys:level:base:)`` is for bytes of unknown origin, and checks all
/// of them first:
///
/// ```swift
/// do {
///     let document = try FleeceDocument(validating: fleeceBytes, level: .strict)
///     show(document.root)
/// } catch let error as FleeceError {
///     show(error.message, error.offset ?? 0)
/// }
/// ```
///
/// A document cannot be changed. To change a value, base a ``MutableFleeceDictionary`` on it and
/// encode the result with a ``FleeceEncoder``.
///
/// **Safety.** Reading stays inside the bytes and never traps, even if they are corrupt and were
/// not validated. Values that cannot be read are then `undefined`, or an error from methods that
/// can throw. See <doc:DoubtfulDocuments>.
///
/// **Concurrency.** A document and everything taken from it can be used by any number of threads at
/// the same time.
///
/// **Cost.** Creating a document copies its bytes once; nothing is parsed. A loop over many values
/// can avoid the cost of reference counting with ``withUnsafeRoot(_:)``.
///
/// See also <doc:ReadingValues>.
public final class FleeceDocument: @unchecked Sendable {
    // Unchecked because of the pointer: the bytes are written once, before they are shared.

    /// The document's bytes, its own copy; those of the base precede them.
    package let bytes: UnsafeRawBufferPointer
    /// The keys that numeric keys stand for; an empty table if all keys of the document are
    /// strings.
    ///
    /// The document uses the table as it was when the document was created. Keys that are added to
    /// another copy of the table later do not matter, since a key never changes its number.
    public let sharedKeys: SharedKeys
    /// The document into which extern pointers lead; nil if the document is complete without it.
    ///
    /// A base has no base itself. See <doc:AppendedDocuments>.
    public let base: FleeceDocument?
    let rawRoot: RawValue
    /// The table of `sharedKeys`, which retains it.
    @usableFromInline let keys: Unmanaged<SharedKeyTable>
    let keyCache: InlineKeyCache
    /// The base's bytes, the document's, and the key cache.
    private let storage: UnsafeMutableRawBufferPointer

    /// Copies a document of trusted origin: only its root is located now.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder(sharedKeys: sharedKeys)
    /// try encoder.writeJSON(#"{"name": "Ada"}"#)
    /// let bytes = try encoder.finish()
    /// let keys = encoder.sharedKeys ?? sharedKeys
    /// let document = try FleeceDocument(trusted: bytes, sharedKeys: keys)
    /// ```
    ///
    /// The bytes need not be valid: reading stays inside them. Unreadable values are `undefined`,
    /// or an error from methods that can throw. Use ``init(validating:sharedKeys:level:base:)`` to
    /// detect corrupt bytes at once.
    ///
    /// - Parameters:
    ///   - source: the document's bytes, an even number of at least 2, and less than 2 GiB.
    ///   - sharedKeys: the table to which its numeric keys refer (default: an empty one). Pairs
    ///     whose number the table lacks cannot be read.
    ///   - base: the document into which extern pointers lead, if there are any (default: nil); it
    ///     must not have a base itself. Its bytes are copied as well. (The reference looks bases up
    ///     in a global table.)
    /// - Throws: ``FleeceError/Code/invalidData`` if the bytes have no root, or if `base` has a
    ///   base.
    public convenience init(
        trusted source: [UInt8], sharedKeys: SharedKeys = SharedKeys(),
        base: FleeceDocument? = nil
    ) throws {
        let storage = try Self.allocateStorage(for: source.count, after: base)
        UnsafeMutableRawBufferPointer(rebasing: storage[(base?.bytes.count ?? 0)...])
            .copyBytes(from: source)
        try self.init(
            owning: storage, count: source.count, sharedKeys: sharedKeys, base: base)
    }

    /// Copies a buffer of several values without a common root, one of which becomes the root.
    ///
    /// ``FleeceEncoder/finishItem()`` and ``FleeceEncoder/finishItems()`` write such buffers.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// var offsets: [Int] = []
    /// for word in ["one", "two"] {
    ///     encoder.writeString(word)
    ///     offsets.append(try encoder.finishItem())
    /// }
    /// let buffer = try encoder.finishItems()
    /// let two = try FleeceDocument(trusted: buffer, rootAt: offsets[1]).root.string
    /// ```
    ///
    /// - Parameters:
    ///   - source: the bytes of the whole buffer, which are copied.
    ///   - offset: the position of the root in the buffer, in bytes; an even number.
    ///   - sharedKeys: the table to which numeric keys refer (default: an empty one).
    /// - Throws: ``FleeceError/Code/invalidData`` if `offset` cannot be the position of a value in
    ///   the buffer.
    public convenience init(
        trusted source: [UInt8], rootAt offset: Int, sharedKeys: SharedKeys = SharedKeys()
    ) throws {
        let storage = try Self.allocateStorage(for: source.count, after: nil)
        storage.copyBytes(from: source)
        try self.init(
            owning: storage, count: source.count, sharedKeys: sharedKeys, rootOffset: offset)
    }

    /// Copies borrowed bytes, as `init(trusted:sharedKeys:base:)` does; the root is located as
    /// usual, or at `rootAt`.
    package convenience init(
        trusted source: UnsafeRawBufferPointer, rootAt offset: Int? = nil, sharedKeys: SharedKeys
    ) throws {
        let storage = try Self.allocateStorage(for: source.count, after: nil)
        storage.copyMemory(from: source)
        try self.init(
            owning: storage, count: source.count, sharedKeys: sharedKeys, rootOffset: offset)
    }

    /// Allocates memory for a copy of the base, the document and the key cache, in this order.
    private static func allocateStorage(
        for count: Int, after base: FleeceDocument?
    ) throws -> UnsafeMutableRawBufferPointer {
        guard base?.base == nil else {
            throw FleeceError(.invalidData, "a base must not have a base itself")
        }
        let baseCount = base?.bytes.count ?? 0
        let memory = UnsafeMutableRawBufferPointer.allocate(
            byteCount: baseCount + count + InlineKeyCache.count, alignment: 8)
        if let base { memory.copyMemory(from: base.bytes) }
        return memory
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
        guard let root, let memory = storage.baseAddress else {
            storage.deallocate()
            throw FleeceError(.invalidData, "no Fleece root in \(bytes.count) bytes")
        }
        self.storage = storage
        self.bytes = bytes
        self.sharedKeys = sharedKeys
        keys = .passUnretained(sharedKeys.table)
        self.base = base
        rawRoot = root
        keyCache = InlineKeyCache(at: memory + end)
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

    /// Passes the document's bytes, without those of its base, to a closure.
    ///
    /// The bytes are not copied. They are valid only while the closure runs.
    ///
    /// ```swift
    /// let size = fleece.withBytes { $0.count }
    /// let copy = fleece.withBytes { [UInt8]($0) }
    /// ```
    ///
    /// - Parameter operation: a closure that receives the bytes.
    /// - Returns: the result of the closure.
    /// - Throws: only what the closure throws.
    public func withBytes<T, E: Error>(
        _ operation: (UnsafeRawBufferPointer) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(self) }
        return try operation(bytes)
    }

    /// The root value, usually a dictionary.
    ///
    /// The value retains the document. It is `undefined` if the bytes of the root are corrupt.
    public var root: FleeceValue { FleeceValue(document: self, raw: rawRoot) }

    /// Whether the root is a dictionary.
    package var isDictionary: Bool { rawRoot.dictionary != nil }
}

extension FleeceDocument {
    /// Creates a separate document with a borrowed value as root, which can be retained.
    ///
    /// The shared keys are those of the value's document. All bytes before the value's end are
    /// copied, since the values that it refers to lie there.
    ///
    /// Throws `.invalidData` for a value at an odd offset, or one that lies in a base.
    package convenience init(copying value: UnsafeFleeceValue) throws {
        let bytes = UnsafeRawBufferPointer(start: value.raw.base, count: value.raw.limit)
        try self.init(
            trusted: bytes, rootAt: value.raw.offset,
            sharedKeys: value.document._withUnsafeGuaranteedRef { $0.sharedKeys })
    }
}

extension FleeceValue {
    /// Passes the value to `operation` without ownership, for functions that take it in that form.
    package func withUnsafeValue<T, E: Error>(
        _ operation: (UnsafeFleeceValue) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(document) }
        return try operation(UnsafeFleeceValue(raw, .passUnretained(document)))
    }
}

/// Caches the pair at which each key was found last, in one document or those of one decoder.
///
/// The dictionaries of a document tend to have the same keys in the same order, so that one
/// comparison at the cached pair replaces a search. An entry is verified before it is used, so it
/// may be outdated, or come from another key or another thread.
struct InlineKeyCache: @unchecked Sendable {
    // Unchecked because of the pointer: its target is atomic.

    /// The number of entries. Keys with the same slot displace each other.
    static let count = 64

    /// Pair 0 is stored as 1; 0 is an empty entry. Atomic, since threads that read the same
    /// document write here.
    private let entries: UnsafeMutablePointer<Atomic<UInt8>>

    /// Uses `count` bytes, which must outlive the cache.
    init(at memory: UnsafeMutableRawPointer) {
        entries = memory.bindMemory(to: Atomic<UInt8>.self, capacity: Self.count)
        for index in 0..<Self.count { (entries + index).initialize(to: Atomic(0)) }
    }

    /// A cache in its own memory, until `deallocate()`.
    static func allocated() -> InlineKeyCache {
        InlineKeyCache(at: .allocate(byteCount: count, alignment: 1))
    }

    func deallocate() { entries.deallocate() }

    /// The slot of a key.
    @inline(__always)
    static func slot(of key: KeyWords) -> Int {
        let mixed = (key.low ^ key.high &<< 1) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed &>> 58)
    }

    /// The pair to compare first; -1 if there is none.
    @inline(__always)
    func pair(_ slot: Int) -> Int {
        Int(entries[slot].load(ordering: .relaxed)) &- 1
    }

    /// Stores a pair, if it is one of the first 255.
    @inline(__always)
    func remember(_ pair: Int, _ slot: Int) {
        let entry = UInt8(truncatingIfNeeded: pair &+ 1)
        // Threads share this cache line: an unchanged entry is not written.
        guard pair < 255, entries[slot].load(ordering: .relaxed) != entry else { return }
        entries[slot].store(entry, ordering: .relaxed)
    }
}
