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

    /// Bytes of texts, and of keys in pairs, that may still be looked at: what an encoder writes
    /// does not overlap, so each is looked at once, and keys once with either neighbour.
    private var textBudget: Int
    private var keyBudget: Int

    private static let text = UInt16.max
    /// Shorter texts cost less than a note of them.
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

    /// The height of a collection that has been checked, else 0.
    func height(at offset: Int) -> Int {
        let mark = marks[(offset - lowest) / 2]
        return mark == Self.text ? 0 : Int(mark)
    }

    func setHeight(_ height: Int, at offset: Int) {
        marks[(offset - lowest) / 2] = UInt16(height)
    }

    /// Whether a text has not been seen at this place; it is from now on.
    ///
    /// Throws `.invalidData` if the texts seen are longer together than the document.
    mutating func isNewText(_ text: UnsafeRawBufferPointer, at offset: Int) throws -> Bool {
        let place = (offset - lowest) / 2
        guard text.count > Self.shortText, marks[place] != Self.text else {
            return text.count <= Self.shortText
        }
        marks[place] = Self.text
        textBudget -= text.count
        guard textBudget >= 0 else { throw Self.overlap(offset) }
        return true
    }

    /// Whether two keys have not been compared; they have from now on.
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
