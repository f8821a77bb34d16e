/// Records what a validator has checked, so that it checks nothing twice.
struct ValidationNotes: ~Copyable {
    /// For each even offset the height of the collection there, or `text` for a long string.
    private let marks: UnsafeMutablePointer<UInt16>
    private let lowest: Int
    /// Pairs of long keys that are in order.
    private var ordered: Set<Order> = []

    private struct Order: Hashable {
        let left: UnsafeRawPointer
        let right: UnsafeRawPointer
    }

    /// The number of bytes of strings, and of keys in pairs, that may still be examined: the values
    /// of an encoder do not overlap, so each is examined once, and keys once with either neighbour.
    private var textBudget: Int
    private var keyBudget: Int

    private static let text = UInt16.max
    /// Shorter strings cost less than a note for them.
    private static let shortText = 64

    init(lowest: Int, count: Int) {
        self.lowest = lowest
        let size = (count - lowest) / 2 + 1
        marks = .allocate(capacity: size)
        marks.initialize(repeating: 0, count: size)
        textBudget = count - lowest
        keyBudget = 4 * (count - lowest)
    }

    deinit {
        marks.deallocate()
    }

    /// The height of a collection that has been checked; otherwise 0.
    func height(at offset: Int) -> Int {
        let mark = marks[(offset - lowest) / 2]
        return mark == Self.text ? 0 : Int(mark)
    }

    func setHeight(_ height: Int, at offset: Int) {
        marks[(offset - lowest) / 2] = UInt16(height)
    }

    /// Records a string, and returns whether it had not been recorded at this position.
    ///
    /// Throws `.invalidData` if the recorded strings are longer together than the document.
    mutating func isNewText(_ text: UnsafeRawBufferPointer, at offset: Int) throws -> Bool {
        let index = (offset - lowest) / 2
        guard text.count > Self.shortText, marks[index] != Self.text else {
            return text.count <= Self.shortText
        }
        marks[index] = Self.text
        textBudget -= text.count
        guard textBudget >= 0 else { throw Self.overlap(offset) }
        return true
    }

    /// Records a comparison of two keys, and returns whether they had not been compared.
    ///
    /// Throws `.invalidData` if keys are compared so often that they must overlap.
    mutating func isNewOrder(
        _ left: RawCollection.Key, _ right: RawCollection.Key, at offset: Int
    ) throws -> Bool {
        guard case .string(let left) = left, case .string(let right) = right,
            let leftStart = left.baseAddress, let rightStart = right.baseAddress,
            min(left.count, right.count) > Self.shortText
        else { return true }
        guard ordered.insert(Order(left: leftStart, right: rightStart)).inserted else {
            return false
        }
        keyBudget -= min(left.count, right.count)
        guard keyBudget >= 0 else { throw Self.overlap(offset) }
        return true
    }

    private static func overlap(_ offset: Int) -> FleeceError {
        FleeceError(.invalidData, "strings overlap", offset: offset)
    }
}

extension RawCollection {
    /// The first slot of 2 bytes, from `first` on, that neither contains nor directly points to a
    /// value that is valid both as a key and as a value: a short string, or a short integer other
    /// than the parent key.
    ///
    /// Nearly all slots hold or point to such a value; skipping them here costs no call.
    @inline(__always)
    func skipOrdinarySlots(from first: Int) -> Int {
        let end = slotCount
        var index = first
        while index < end {
            let position = start &+ 2 &* index
            let bits = bits(at: position)
            if bits & 0x8000 == 0 {
                guard Self.isOrdinary(bits, isValue: !isDictionary || index & 1 != 0) else {
                    return index
                }
            } else {
                let distance = Int(bits &<< 1 & 0x7FFF)
                let target = position &- distance
                guard bits & 0x4000 == 0, target >= Int(lowest),
                    isString(at: target, within: distance)
                else { return index }
            }
            index &+= 1
        }
        return index
    }

    @inline(__always)
    private static func isOrdinary(_ bits: UInt16, isValue: Bool) -> Bool {
        switch UInt8(truncatingIfNeeded: bits &>> 12) {
        case FleeceTag.shortInteger: bits != 0x0800
        case FleeceTag.string: bits & 0x0F00 <= 0x0100
        case FleeceTag.special: isValue
        default: false
        }
    }

    /// Whether there is a string at an offset that ends within a number of bytes.
    @inline(__always)
    private func isString(at offset: Int, within limit: Int) -> Bool {
        let first = base.load(fromByteOffset: offset, as: UInt8.self)
        guard first &>> 4 == FleeceTag.string else { return false }
        let count = Int(first & 0x0F)
        if count < 15 { return count < limit }
        // A pointer leads at least 2 bytes back, so there is a second byte.
        let length = base.load(fromByteOffset: offset &+ 1, as: UInt8.self)
        return length < 0x80 && Int(length) &+ 2 <= limit
    }
}
