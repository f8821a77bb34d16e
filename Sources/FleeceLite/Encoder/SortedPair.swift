/// A pair of a dictionary, with what determines its position among the others.
struct SortedPair: BitwiseCopyable {
    let rank: KeyRank
    let key: SlotItem
    let value: SlotItem
    /// The index of the pair in the order of writing.
    let index: UInt32
}

/// The beginning of a key as two numbers that sort as keys do: complete for up to 15 bytes.
struct KeyRank: BitwiseCopyable, Equatable {
    /// Numbers from 0 to 4095; for a string a 1, then its first seven bytes.
    let high: UInt64
    /// The next eight bytes.
    let low: UInt64

    @inline(__always)
    static func < (left: KeyRank, right: KeyRank) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The rank of a string of at most 15 bytes.
    @inline(__always)
    init(_ text: ShortString) {
        let first = text.low.byteSwapped
        let second = text.highBytes.byteSwapped
        high = first &>> 8 | 1 &<< 56
        low = first &<< 56 | second &>> 8
    }

    init(number: Int) {
        high = UInt64(truncatingIfNeeded: number &- FleeceLimits.parentKey)
        low = 0
    }
}

/// The bytes of string keys, apart from the encoder: a non-mutating method of the encoder that is
/// not inlined would be passed a copy of all its contents.
struct KeyStrings {
    private let output: UnsafeRawPointer
    private let count: Int
    private let capacity: Int
    private let base: EncoderBase?

    @inline(__always)
    init(_ output: borrowing GrowingBuffer<UInt8>, _ base: EncoderBase?) {
        self.output = UnsafeRawPointer(output.base)
        count = output.count
        capacity = output.capacity
        self.base = base
    }

    @inline(__always)
    func precedes(_ left: SortedPair, _ right: SortedPair) -> Bool {
        left.rank == right.rank ? compareKeys(left, right) < 0 : left.rank < right.rank
    }

    @inline(never)
    func compareKeys(_ left: SortedPair, _ right: SortedPair) -> Int {
        if left.rank != right.rank { return left.rank < right.rank ? -1 : 1 }
        if left.key == right.key { return 0 }
        return withText(of: left.key) { left in
            withText(of: right.key) { right in compare(left, right) }
        }
    }

    @inline(__always)
    func rank(of key: SlotItem) -> KeyRank {
        if let number = key.number { return KeyRank(number: number) }
        if let target = key.target {
            let count = Int(output.load(fromByteOffset: target, as: UInt8.self) & 0x0F)
            // The bytes after a string of the output belong to the output's buffer as well.
            if count < 15, capacity &- target >= 17 {
                let text = output + (target &+ 1)
                return KeyRank(
                    ShortString(
                        low: UInt64(littleEndian: text.loadUnaligned(as: UInt64.self)),
                        high: UInt64(
                            littleEndian: text.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                        count: count))
            }
        }
        return rankOfOther(key)
    }

    @inline(never)
    private func rankOfOther(_ key: SlotItem) -> KeyRank {
        withText(of: key) { text in
            let count = min(text.count, ShortString.maximumCount)
            return KeyRank(ShortString(UnsafeRawBufferPointer(rebasing: text[..<count])))
        }
    }

    /// The UTF-8 of a string key: it lies in the output, in the base or in the item.
    @inline(__always)
    private func withText<T>(of key: SlotItem, _ operation: (UnsafeRawBufferPointer) -> T) -> T {
        if let target = key.target {
            let value = RawValue(base: output, offset: target, limit: count)
            return operation(value.string ?? UnsafeRawBufferPointer(start: nil, count: 0))
        }
        if key.isPointer { return withTextInBase(of: key, operation) }
        let length = Int(key.bits >> 24 & 1)
        return withUnsafeBytes(of: UInt8(truncatingIfNeeded: key.bits >> 16)) { byte in
            operation(UnsafeRawBufferPointer(rebasing: byte[..<length]))
        }
    }

    private func withTextInBase<T>(
        of key: SlotItem, _ operation: (UnsafeRawBufferPointer) -> T
    ) -> T {
        operation(base?.string(at: key) ?? UnsafeRawBufferPointer(start: nil, count: 0))
    }
}

/// The document that an encoder's output continues.
struct EncoderBase {
    let document: FleeceDocument
    let usesExternPointers: Bool
    /// Bytes before this offset are not referred to.
    let firstUsable: Int
    /// The smallest offset that is referred to.
    var firstUsed: Int

    var bytes: UnsafeRawBufferPointer { document.bytes }

    /// The UTF-8 of a string to which an item points.
    func string(at item: SlotItem) -> UnsafeRawBufferPointer? {
        let offset = bytes.count - Int(item.baseDistance(fromHalf: 0)) * 2
        guard offset >= 0, let start = bytes.baseAddress else { return nil }
        return RawValue(base: start, offset: offset, limit: bytes.count).string
    }
}
