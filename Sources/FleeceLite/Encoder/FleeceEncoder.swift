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
    public var sharedKeys: SharedKeys?

    var output = GrowingBuffer<UInt8>(capacity: 1024)
    /// The items of all open collections, the innermost last.
    var items = GrowingBuffer<SlotItem>(capacity: 256)
    var frames = GrowingBuffer<Frame>(capacity: 16)
    var strings = WrittenStrings()
    var sorting = GrowingBuffer<SortedPair>(capacity: 64)
    /// Unescaped JSON strings.
    var scratch = GrowingBuffer<UInt8>(capacity: 256)

    /// An open collection.
    struct Frame: BitwiseCopyable {
        /// The index of its first item.
        var start: Int
        var isDictionary: Bool
        /// How many keys it has so far.
        var keys = 0
    }

    /// Makes an encoder, with the table of shared keys to use.
    public init(sharedKeys: SharedKeys? = nil) {
        self.sharedKeys = sharedKeys
    }

    /// Forgets what has been written, but for keys that were added to `sharedKeys`.
    public mutating func reset() {
        output.removeAll()
        items.removeAll()
        frames.removeAll()
        strings.removeAll()
    }

    /// Ends the document and resets the encoder.
    ///
    /// Throws `.encodeError` unless exactly one value has been written.
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
        guard output.count <= FleeceLimits.wideReach else {
            throw FleeceError(.outOfRange, "a document of \(output.count) bytes, over 2 GiB")
        }
        return try body(UnsafeRawBufferPointer(start: output.base, count: output.count))
    }

    /// The root is the single item of a collection without a header.
    private mutating func writeTrailer() {
        output.padToEven()
        if writeSlots(from: 0, header: nil) {
            output.append(FleeceTag.pointerBit)
            output.append(2)
        }
        items.removeAll()
    }
}
