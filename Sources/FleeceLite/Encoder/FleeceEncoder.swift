/// Writes Fleece documents, one after another, reusing its buffers.
///
/// An encoder receives the values of a document one by one. Between ``beginDictionary()`` and
/// ``endDictionary()`` keys and values alternate, between ``beginArray()`` and ``endArray()`` each
/// value is an element:
///
/// ```swift
/// var encoder = FleeceEncoder()
/// encoder.beginDictionary()
/// try encoder.writeKey("name")
/// encoder.writeString("Ada")
/// try encoder.writeKey("born")
/// encoder.writeInt(1815)
/// try encoder.endDictionary()
/// let bytes = try encoder.finish()
/// ```
///
/// Where a value is expected, any of these can be written: a scalar (``writeString(_:)``,
/// `writeInt(_:)`, ``writeDouble(_:)`` and others), JSON (``writeJSON(_:)``), a `Codable` value
/// (``encode(_:as:)``), a value of another document (``write(_:maximumBytes:)``), or a value in
/// memory (`write(_:)` of a ``MutableFleeceValue``).
///
/// With ``sharedKeys``, frequent keys are written as numbers, as the documents of a database are:
///
/// ```swift
/// var encoder = FleeceEncoder(sharedKeys: sharedKeys)
/// for name in ["Ada", "Grace"] {
///     encoder.beginDictionary()
///     try encoder.write("name", name)
///     try encoder.endDictionary()
///     show(try encoder.finish().count)
/// }
/// ```
///
/// **Output.** The bytes are those of the reference encoder, except that padding is zero and that
/// of equal keys in a dictionary the last one wins. The same calls produce the same bytes.
///
/// **Errors.** A call in the wrong order throws ``FleeceError/Code/encodeError``. After an error,
/// ``reset()`` discards the first part of the document; the encoder can then be used again.
///
/// **Cost.** The encoder caches the keys and the order of keys of the documents that it writes. Use
/// one encoder for many documents of the same shape; the buffers are then allocated once.
///
/// **Concurrency.** The structure is noncopyable: it has one owner, and is used by one thread at a
/// time.
///
/// See also <doc:WritingDocuments>, <doc:NumberedKeys> and <doc:AppendedDocuments>.
public struct FleeceEncoder: ~Copyable {
    /// The keys that are written as numbers; nil to write all keys as strings (default).
    ///
    /// New keys are added as they occur, unless ``addsSharedKeys`` is false. Read the property
    /// after ``finish()`` to get the extended table. Setting another table than an extension of the
    /// present one discards the encoder's caches; it does not change what has been written.
    public var sharedKeys: SharedKeys? {
        get { numberedKeys }
        set { replaceSharedKeys(newValue) }
    }

    /// Whether short strings are written once and then referred to by pointers (default: true, as
    /// in the reference).
    ///
    /// It applies to strings of 2 to 15 bytes within one document. If false, the document is
    /// larger, and each string is stored where it is used.
    public var sharesStrings = true

    /// Whether keys that ``sharedKeys`` lacks are added to it (default: true); otherwise they are
    /// written as strings.
    ///
    /// Set it to false to encode without changing the shared keys, for example to compare bytes:
    ///
    /// ```swift
    /// var encoder = FleeceEncoder(sharedKeys: sharedKeys)
    /// encoder.addsSharedKeys = false
    /// try encoder.writeJSON(json)
    /// let isSame = try encoder.withFinishedBytes { $0.elementsEqual(fleeceBytes) }
    /// ```
    public var addsSharedKeys = true

    /// Whether a key of the document was written as a string.
    package internal(set) var hasTextKeys = false

    var numberedKeys: SharedKeys?
    /// The output so far; its count is even between values.
    var output = GrowingBuffer<UInt8>(capacity: 1024)
    /// The items of all open collections, the innermost last.
    var items = GrowingBuffer<SlotItem>(capacity: 256)
    var frames = GrowingBuffer<Frame>(capacity: 16)
    var strings = StringTable()
    var keyCache = KeyCache()
    var shapes = DictionaryShapes()
    var sorting = GrowingBuffer<SortedPair>(capacity: 64)
    /// Unescaped JSON strings.
    var scratch = GrowingBuffer<UInt8>(capacity: 256)
    /// JSON followed by zeros.
    var input = GrowingBuffer<UInt8>(capacity: 256)
    /// The source collections that are being copied, the innermost last.
    var copies = GrowingBuffer<CopyLevel>(capacity: 16)
    /// The merged pairs of those dictionaries among them that inherit from others.
    var inherited: [[RawPairs.Pair]] = []
    /// A table other than that of `sharedKeys` that was found to be a prefix of it.
    var prefixTable: SharedKeyTable?
    var base: EncoderBase?
    /// Unique for each document of any encoder.
    var documentMark = UInt64.random(in: .min ... .max)

    /// An open collection.
    struct Frame: BitwiseCopyable {
        /// The index of its first item.
        var start: Int
        /// The number of its keys so far.
        var keys: Int32 = 0
        /// For a dictionary, the node of its keys so far; for an array, the node at which its
        /// dictionaries start. See `DictionaryShapes`.
        var shape: UInt32
        var isDictionary: Bool
        /// Whether a slot holds a value of 3 or 4 bytes, so that all slots have 4 bytes.
        var isWide = false
    }

    /// Creates an encoder and its buffers. Use it for many documents if their number is large.
    ///
    /// - Parameter sharedKeys: the table of keys that are written as numbers; nil to write all keys
    ///   as strings (default). The encoder has its own copy: read ``sharedKeys`` to get the table
    ///   with the keys that it added.
    public init(sharedKeys: SharedKeys? = nil) {
        numberedKeys = sharedKeys
    }

    /// Discards the output and the base, so that a new document can be started.
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// do {
    ///     try encoder.writeJSON(json)
    /// } catch {
    ///     encoder.reset()
    ///     encoder.writeNull()
    /// }
    /// let bytes = try encoder.finish()
    /// ```
    ///
    /// The encoder retains its buffers and its settings, and the keys that were added to
    /// ``sharedKeys``: use ``SharedKeys/revert(to:)`` to remove them. Call this method after an
    /// error in the middle of a document. ``finish()`` calls it itself.
    public mutating func reset() {
        output.recycle()
        items.recycle()
        input.recycle()
        frames.removeAll()
        strings.removeAll()
        base = nil
        prefixTable = nil
        hasTextKeys = false
        documentMark &+= 1
        if shapes.isOutdated { forgetKeys() }
    }

    /// Replaces the shared keys; what is cached about keys is valid only while
    /// they keep their numbers.
    private mutating func replaceSharedKeys(_ newKeys: SharedKeys?) {
        let staysTrue =
            switch (numberedKeys, newKeys) {
            case (nil, nil): true
            case (let old?, let new?):
                old.table === new.table
                    || new.isExtension(of: old) && !keyCache.gainNumber(in: new)
            default: false
            }
        numberedKeys = newKeys
        if !staysTrue { forgetKeys() }
    }

    private mutating func forgetKeys() {
        prefixTable = nil
        keyCache.removeAll()
        shapes.removeAll()
        // Open dictionaries must not continue at their old nodes of the tree.
        for index in 0..<frames.count { frames.base[index].shape = DictionaryShapes.none }
    }
}

extension FleeceEncoder {
    /// The number of bytes written so far, without those of open collections.
    ///
    /// A collection is written when it is closed; its nested strings and numbers are written
    /// before. Without a base, the finished document has a few bytes more.
    public var byteCount: Int { output.count }

    /// Ends the document, returns a copy of its bytes, and resets the encoder.
    ///
    /// Without a base, the bytes are a complete document. After
    /// ``amend(_:reusingStrings:externPointers:reach:)``, they must be appended to the base. To
    /// avoid the copy, use ``withFinishedBytes(_:)``.
    ///
    /// - Returns: the bytes; their number is even.
    /// - Throws: ``FleeceError/Code/encodeError`` unless exactly one value has been written and all
    ///   collections are closed, ``FleeceError/Code/outOfRange`` beyond 2 GiB. The encoder is reset
    ///   in any case.
    public mutating func finish() throws -> [UInt8] {
        try withFinishedBytes { [UInt8]($0) }
    }

    /// Ends the document, passes its bytes to a closure, and resets the encoder.
    ///
    /// The bytes are not copied, which suits storing, hashing or counting them:
    ///
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// try encoder.writeJSON(json)
    /// let size = try encoder.withFinishedBytes { $0.count }
    /// ```
    ///
    /// - Parameter operation: a closure that receives the bytes, which are valid only while it
    ///   runs.
    /// - Returns: the result of the closure.
    /// - Throws: as ``finish()`` does, and what the closure throws. The encoder is reset in any
    ///   case.
    public mutating func withFinishedBytes<T>(
        _ operation: (UnsafeRawBufferPointer) throws -> T
    ) throws -> T {
        defer { reset() }
        guard frames.count == 0, items.count == 1 else {
            throw FleeceError(
                .encodeError,
                frames.count > 0 ? "a collection is still open" : "one value must be written")
        }
        writeTrailer()
        let size = output.count + (base?.bytes.count ?? 0)
        guard size <= FleeceLimits.wideReach else {
            throw FleeceError(.outOfRange, "a document of \(size) bytes, over 2 GiB")
        }
        return try operation(UnsafeRawBufferPointer(start: output.base, count: output.count))
    }

    /// Writes the root, which is the single item of a collection without a header.
    private mutating func writeTrailer() {
        if let base, !base.usesExternPointers, !items.base[0].isPointer {
            // After a base, a root that is not a pointer would not be found.
            output.append(bigEndian: UInt16(items.base[0].bits >> 16))
            items.base[0] = .pointer(to: output.count - 2)
        }
        let start = output.count
        writeSlots(UnsafePointer(items.base), count: 1, isWide: false)
        if output.count - start == 4 {
            output.append(FleeceTag.pointerBit)
            output.append(2)
        }
        items.removeAll()
    }
}

/// A source collection that is being copied; the items before `next` are done.
struct CopyLevel: BitwiseCopyable {
    let items: RawCollection
    /// The number of items, including inherited ones.
    let count: Int32
    var next: Int32 = 0
    /// The number of the last key, below which no later key may sort; `noNumber` for a dictionary
    /// whose keys are written as strings from here on.
    var lastNumber = noNumber
    /// Whether the keys so far were written in the format's order, without tracking a shape.
    var isOrdered = false
    /// Whether it has inherited pairs.
    let isMerged: Bool

    static let noNumber = Int32.max

    @inline(__always)
    init(_ items: RawCollection, count: Int, isMerged: Bool = false) {
        self.items = items
        self.count = Int32(truncatingIfNeeded: count)
        self.isMerged = isMerged
    }
}

extension FleeceEncoder {
    /// The number of keys of a document's table that have the same numbers here: all or none.
    mutating func reusableKeys(of keys: Unmanaged<SharedKeyTable>) -> Int {
        guard let own = numberedKeys?.table else { return 0 }
        return keys._withUnsafeGuaranteedRef { table in
            if own === table || prefixTable === table { return table.count }
            guard table.count > 0, own.begins(with: table) else { return 0 }
            // Cleared at the end of the document: the owner of the table could not change it
            // without a copy.
            prefixTable = table
            return table.count
        }
    }

    /// Writes a key that has a number here, where a key is expected.
    @inline(__always)
    mutating func writeReusedKey(_ number: Int) {
        items.append(.shortInteger(number))
        frames.base[frames.count &- 1].keys &+= 1
    }

    /// The item that was written last; there must be one.
    @inline(__always)
    var lastItem: SlotItem { items.base[items.count &- 1] }
}
