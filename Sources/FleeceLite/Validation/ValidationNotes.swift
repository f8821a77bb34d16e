/// What a validator has checked, so that it checks nothing twice.
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

    private static let text = UInt16.max
    /// Shorter texts cost less than a note of them.
    private static let shortText = 64

    init(lowest: Int, count: Int) {
        self.lowest = lowest
        let size = (count - lowest) / 2 + 1
        marks = .allocate(capacity: size)
        marks.initialize(repeating: 0, count: size)
    }

    deinit {
        marks.deallocate()
    }

    /// The height of a collection that has been checked, else 0.
    func height(at offset: Int) -> Int {
        let mark = marks[(offset - lowest) / 2]
        return mark == Self.text ? 0 : Int(mark)
    }

    func setHeight(_ height: Int, at offset: Int) {
        marks[(offset - lowest) / 2] = UInt16(height)
    }

    /// Whether a text has not been seen at this place; it is from now on.
    mutating func isNewText(_ text: UnsafeRawBufferPointer, at offset: Int) -> Bool {
        guard text.count > Self.shortText else { return true }
        let place = (offset - lowest) / 2
        defer { marks[place] = Self.text }
        return marks[place] != Self.text
    }

    /// Whether two keys have not been compared; they have from now on.
    mutating func isNewOrder(_ left: RawCollection.Key, _ right: RawCollection.Key) -> Bool {
        guard case .string(let left) = left, case .string(let right) = right,
            let leftStart = left.baseAddress, let rightStart = right.baseAddress,
            min(left.count, right.count) > Self.shortText
        else { return true }
        return ordered.insert(Order(left: leftStart, right: rightStart)).inserted
    }
}
