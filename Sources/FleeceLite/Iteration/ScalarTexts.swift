/// Writes the scalars of a value as one text, for full-text search; reuses its buffers.
///
/// An item for each scalar, separated by spaces: strings unchanged, numbers as in JSON, `T` and `F`
/// for Booleans, nothing for null and data. The items of a collection come first, then those of its
/// nested collections, the last collection first. LiteCore uses the same order, on which the
/// positions of words depend. Properties that a dictionary inherits are left out: documents in a
/// file have none.
package struct ScalarTexts: ~Copyable {
    private var text = JSONBuffer()
    /// The collections that are still to be visited, the next one last.
    private var open = GrowingBuffer<RawCollection>(capacity: 16)
    private var isFirst = true

    /// Allocates the buffers.
    package init() {}

    /// Passes the text of a value to `operation`.
    ///
    /// A small document can refer to its parts repeatedly; its text ends where it would become far
    /// longer than any that an encoder writes.
    package mutating func withText<T>(
        of value: UnsafeFleeceValue, _ operation: (UnsafeRawBufferPointer) -> T
    ) -> T {
        text.bytes.recycle()
        open.recycle()
        isFirst = true
        if !add(value.raw) { addAll(size: value.raw.limit - Int(value.raw.lowest)) }
        return operation(text.contents)
    }

    /// Visits the open collections.
    private mutating func addAll(size: Int) {
        let maximumText = FleeceLimits.copyBudget(forBytes: size)
        // Each takes at least two bytes.
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

    /// Appends a scalar; returns false for a collection, which is opened.
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
