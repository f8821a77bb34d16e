/// The document that an encoder's output continues.
struct EncoderBase {
    let document: FleeceDocument
    let usesExternPointers: Bool
    /// Nothing before this offset is referred to.
    let firstUsable: Int
    /// The smallest offset that was referred to.
    var firstUsed: Int

    var bytes: UnsafeRawBufferPointer { document.bytes }

    /// The text of a string that an item points to.
    func string(at item: SlotItem) -> UnsafeRawBufferPointer? {
        let offset = bytes.count - Int(item.baseDistance(fromHalf: 0)) * 2
        guard offset >= 0, let start = bytes.baseAddress else { return nil }
        return RawValue(base: start, offset: offset, limit: bytes.count).string
    }
}
