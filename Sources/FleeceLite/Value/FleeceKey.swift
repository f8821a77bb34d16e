/// A dictionary key that is prepared once and looked up many times.
///
/// It remembers its number in the table of shared keys that it last met, and at which pair it was
/// found last: in dictionaries that are alike, it takes one comparison to find it again.
///
/// ```swift
/// var name = FleeceKey("name")
/// for person in people { total += person.dictionary?.value(&name)?.string?.count ?? 0 }
/// ```
public struct FleeceKey: Sendable {
    /// The key itself.
    public let text: String

    /// Its UTF-8 if that has at most 16 bytes.
    private let words: KeyWords?
    /// The table that `number` belongs to, kept so that no other can take its place in memory.
    private var table: SharedKeyTable?
    nonisolated(unsafe) private var tableIdentity: UnsafeMutableRawPointer?
    private var number = -1
    /// The pair at which it was found last.
    private var place = 0

    /// Prepares a key.
    public init(_ text: String) {
        var text = text
        words = text.withUTF8 {
            $0.count <= FleeceLimits.sharedKeyLength ? KeyWords(UnsafeRawBufferPointer($0)) : nil
        }
        self.text = text
    }
}

extension FleeceKey: ExpressibleByStringLiteral {
    /// Prepares a key.
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension FleeceKey {
    @inline(__always)
    mutating func value(
        in dictionary: RawCollection, _ keys: Unmanaged<SharedKeyTable>
    ) -> RawValue? {
        let identity = keys.toOpaque()
        if place < dictionary.count, isFound(in: dictionary, identity) {
            return dictionary.value(at: place)?.unlessUndefined
        }
        return search(in: dictionary, keys.takeUnretainedValue())
    }

    /// Whether the pair at `place` has the key.
    @inline(__always)
    private func isFound(in dictionary: RawCollection, _ keys: UnsafeMutableRawPointer) -> Bool {
        let bits = dictionary.keyBits(place)
        if bits < 0x1000 { return Int(bits) == number && tableIdentity == keys }
        guard let words,
            let other = dictionary.shortKey(place) ?? dictionary.slot(2 &* place)?.string
        else { return false }
        return other.count == words.count && KeyWords(other) == words
            // With a number it may not stand as text where numbers are used.
            && (!dictionary.usesNumbers || number < 0 && tableIdentity == keys)
    }

    @inline(never)
    private mutating func search(
        in dictionary: RawCollection, _ keys: SharedKeyTable
    ) -> RawValue? {
        if table !== keys {
            table = keys
            tableIdentity = Unmanaged.passUnretained(keys).toOpaque()
            number = words.flatMap { keys.index(of: $0) } ?? -1
        }
        var text = text
        return text.withUTF8 { utf8 in
            let key = SoughtKey(UnsafeRawBufferPointer(utf8), number: number)
            guard let index = dictionary.index(of: key) else {
                return dictionary.hasParentKey ? dictionary.inheritedValue(of: key) : nil
            }
            place = index
            return dictionary.value(at: index)?.unlessUndefined
        }
    }
}
