/// Writes the scalars in a value as one text, for full-text search; keeps its buffers.
///
/// An item for each scalar, with a space between two: strings as they are, numbers as in JSON, `T`
/// and `F` for Booleans, nothing for null and data. The items of a collection come first, then those
/// of the collections in it, the last collection first: so does LiteCore, and the positions of
/// words follow from it. Properties that a dictionary inherits are left out: documents in a file
/// have none.
package struct ScalarTexts: ~Copyable {
    private var text = JSONBuffer()
    /// Collections that are still to be gone through, the next one last.
    private var open = GrowingBuffer<RawCollection>(capacity: 16)
    private var isFirst = true

    /// Makes the buffers.
    package init() {}

    /// Lends the text of a value to `body`.
    ///
    /// A small document can use its parts again and again; its text ends where it would become far
    /// longer than any that an encoder writes.
    package mutating func withText<T>(
        of value: UnsafeFleeceValue, _ body: (UnsafeRawBufferPointer) -> T
    ) -> T {
        text.bytes.recycle()
        open.recycle()
        isFirst = true
        if !add(value.raw) { addAll(size: value.raw.limit - Int(value.raw.lowest)) }
        return body(text.contents)
    }

    /// Goes through the open collections.
    private mutating func addAll(size: Int) {
        let maximumText = FleeceLimits.copyBudget(forBytes: size)
        // Of two bytes at least each.
        var itemsLeft = size + 1024
        while open.count > 0 {
            let next = open.base[open.count - 1]
            open.removeAll(from: open.count - 1)
            for index in 0..<next.count {
                itemsLeft -= 1
                guard itemsLeft >= 0, text.count <= maximumText else { return }
                if next.isDictionary, index == 0, next.hasParentKey { continue }
                guard let item = next.isDictionary ? next.value(at: index) : next.slot(index) else {
                    continue
                }
                _ = add(item)
            }
        }
    }

    /// Adds a scalar; false for a collection, which is opened.
    private mutating func add(_ value: RawValue) -> Bool {
        if let string = value.string {
            beginItem()
            text.append(string)
            return true
        }
        if let collection = value.slots?.0 {
            open.append(collection)
            return false
        }
        switch value.kind {
        case .undefined, .array, .dictionary: return true
        case .bool: addWord(value.bool == true ? "T" : "F")
        case .integer: addInteger(value)
        case .double: addDouble(value)
        default: beginItem()
        }
        return true
    }

    private mutating func addWord(_ word: StaticString) {
        beginItem()
        text.append(word: word)
    }

    private mutating func addInteger(_ value: RawValue) {
        guard let integer = value.integer else { return }
        beginItem()
        if integer.isUnsigned {
            text.append(UInt64(bitPattern: integer.bits))
        } else {
            text.append(integer.bits)
        }
    }

    private mutating func addDouble(_ value: RawValue) {
        guard let number = value.floatingPoint?.value else { return }
        beginItem()
        if number.isFinite { text.append(number) }
    }

    @inline(__always)
    private mutating func beginItem() {
        if isFirst { isFirst = false } else { text.append(UInt8(ascii: " ")) }
    }
}
