/// Writes one Fleece document after another, keeping its buffers.
///
/// ```swift
/// var encoder = FleeceEncoder()
/// encoder.beginDictionary()
/// try encoder.writeKey("name")
/// encoder.writeString("Ada")
/// try encoder.endDictionary()
/// let bytes = try encoder.finish()
/// ```
/// The bytes are those of the reference encoder, but that padding is zero and that of equal keys
/// in a dictionary the last one wins.
public struct FleeceEncoder: ~Copyable {
    /// The keys that are written as numbers; new ones are added as they come. Nil for none.
    public var sharedKeys: SharedKeys? {
        get { numberedKeys }
        set { replaceSharedKeys(newValue) }
    }

    /// Whether short strings are written once and then pointed to, as the reference does unless
    /// told not to.
    public var sharesStrings = true

    /// Whether keys that `sharedKeys` does not have are added to it; otherwise they are written as
    /// strings. Set it to false to encode without changing the shared keys, as to compare bytes.
    public var addsSharedKeys = true

    /// Whether a key of the document was written as a text.
    package internal(set) var hasTextKeys = false

    var numberedKeys: SharedKeys?
    /// The bytes so far; their count is even between values.
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
    /// JSON with zeros behind it.
    var input = GrowingBuffer<UInt8>(capacity: 256)
    /// The collections of a document that are being copied, the innermost last.
    var copies = GrowingBuffer<CopyLevel>(capacity: 16)
    /// The pairs of those dictionaries among them that inherit from others.
    var inherited: [[RawPairs.Pair]] = []
    /// Another table than that of `sharedKeys` that was found to be the beginning of it.
    var prefixTable: SharedKeyTable?
    var base: EncoderBase?
    /// Another one for each document, whichever encoder writes it.
    var documentMark = UInt64.random(in: .min ... .max)

    /// An open collection.
    struct Frame: BitwiseCopyable {
        /// The index of its first item.
        var start: Int
        /// How many keys it has so far.
        var keys: Int32 = 0
        /// Of a dictionary the node of its keys so far; of an array the one where dictionaries
        /// in it begin. See `DictionaryShapes`.
        var shape: UInt32
        var isDictionary: Bool
        /// A value of 3 or 4 bytes stands in a slot, so all slots have 4.
        var isWide = false
    }

    /// Makes an encoder, with the table of shared keys to use.
    public init(sharedKeys: SharedKeys? = nil) {
        numberedKeys = sharedKeys
    }

    /// Forgets what has been written and the base, but not the keys that were added to
    /// `sharedKeys`.
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

    /// What has been learnt about keys holds only as long as they keep their numbers.
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
        // Open dictionaries must not go on where they were in the tree.
        for index in 0..<frames.count { frames.base[index].shape = DictionaryShapes.none }
    }
}

extension FleeceEncoder {
    /// The number of bytes written so far, without those of open collections.
    public var byteCount: Int { output.count }

    /// Ends the document and resets the encoder.
    ///
    /// Throws `.encodeError` unless exactly one value has been written, `.outOfRange` beyond
    /// 2 GiB.
    public mutating func finish() throws -> [UInt8] {
        try withFinishedBytes { [UInt8]($0) }
    }

    /// Ends the document, lends its bytes to `body`, and resets the encoder.
    public mutating func withFinishedBytes<T>(
        _ body: (UnsafeRawBufferPointer) throws -> T
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
        return try body(UnsafeRawBufferPointer(start: output.base, count: output.count))
    }

    /// The root is the single item of a collection without a header.
    private mutating func writeTrailer() {
        if let base, !base.usesExternPointers, !items.base[0].isPointer {
            // Behind a base a root that is not a pointer would not be found.
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

/// A collection of a document that is being copied, of which the items before `next` are done.
struct CopyLevel: BitwiseCopyable {
    let items: RawCollection
    /// With those that it inherits.
    let count: Int32
    var next: Int32 = 0
    /// The number of the last key, below which no other may come; `noNumber` for a dictionary
    /// whose keys are written by their texts, or are so from here on.
    var lastNumber = noNumber
    /// Whether the keys so far were written in the format's order, and no shape was followed.
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
    /// How many keys of a document's table have the same numbers here: all or none.
    mutating func reusableKeys(of keys: Unmanaged<SharedKeyTable>) -> Int {
        guard let own = numberedKeys?.table else { return 0 }
        return keys._withUnsafeGuaranteedRef { table in
            if own === table || prefixTable === table { return table.count }
            guard table.count > 0, own.begins(with: table) else { return 0 }
            // Not kept beyond this document: its owner could not change it without a copy.
            prefixTable = table
            return table.count
        }
    }

    /// Writes a key that has a number here, where one is due.
    @inline(__always)
    mutating func writeReusedKey(_ number: Int) {
        items.append(.shortInteger(number))
        frames.base[frames.count &- 1].keys &+= 1
    }

    /// What was written last; there must be something.
    @inline(__always)
    var lastItem: SlotItem { items.base[items.count &- 1] }
}
