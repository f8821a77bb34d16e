/// A dictionary key that is prepared once and looked up many times.
///
/// It caches its number in the table of shared keys that it was last used with, and the pair at
/// which it was found last: in dictionaries of the same shape, one comparison finds it again. Use
/// it where the same key is read from many documents.
///
/// ```swift
/// var name = FleeceKey("name")
/// var length = 0
/// for person in fleeceArray {
///     length += person.dictionary?.value(&name)?.string?.utf8.count ?? 0
/// }
/// ```
///
/// Pass the key `inout` to ``FleeceDictionary/value(_:)`` or ``UnsafeFleeceDictionary/value(_:)``,
/// which update its caches. The subscripts that take a key work on a copy, and profit only from
/// what it had cached before.
///
/// A key is a value: give each thread its own copy. It can be used with documents of different
/// tables; after a change of the table, the next lookup is a search again.
///
/// For a single lookup, use a string. For a path of several keys, see ``PropertyPath``.
public struct FleeceKey: Sendable {
    /// The key itself, without quotes and escapes.
    public let text: String

    /// Its UTF-8 if it has at most 16 bytes.
    private let words: KeyWords?
    /// Its form as a value, if that is a short string.
    @usableFromInline let form: ShortStringForm
    /// The table that `number` belongs to, retained so that no other table can get its address.
    private var table: SharedKeyTable?
    @usableFromInline var tableIdentity: UInt = 0
    @usableFromInline var number = -1
    /// The pair at which it was found last.
    @usableFromInline var pairIndex = 0

    /// Prepares a key. Its first lookup is a search like that of a string.
    ///
    /// - Parameter text: the key; any string, including an empty one.
    public init(_ text: String) {
        var text = text
        words = text.withUTF8 {
            $0.count <= FleeceLimits.sharedKeyLength ? KeyWords(UnsafeRawBufferPointer($0)) : nil
        }
        form = text.withUTF8 { ShortStringForm(UnsafeRawBufferPointer($0)) }
        self.text = text
    }
}

extension FleeceKey: ExpressibleByStringLiteral {
    /// Prepares a key from a literal, so that literals can be passed where a key is expected.
    ///
    /// ```swift
    /// var key: FleeceKey = "name"
    /// let name = fleeceDictionary.value(&key)?.string
    /// ```
    public init(stringLiteral text: String) {
        self.init(text)
    }
}

extension FleeceKey {
    @inlinable @inline(__always)
    mutating func value(
        in dictionary: RawCollection, _ keys: Unmanaged<SharedKeyTable>
    ) -> RawValue? {
        let identity = UInt(bitPattern: keys.toOpaque())
        if !dictionary.isWide, pairIndex < dictionary.count,
            isFoundNarrow(in: dictionary, identity)
        {
            return dictionary.narrowValue(at: pairIndex)
        }
        return valueInOtherForm(in: dictionary, keys)
    }

    /// Whether the pair at `pairIndex` of 2-byte slots has the key in its most common form.
    @inlinable @inline(__always)
    func isFoundNarrow(
        in dictionary: RawCollection, _ keys: UInt
    ) -> Bool {
        let position = dictionary.start &+ pairIndex &<< 2
        let bits = dictionary.bits(at: position)
        guard tableIdentity == keys else { return false }
        if bits < 0x1000 { return Int(bits) == number }
        // Pointers below 16 bytes and marked ones are handled by the slow path; so are strings
        // where they may be invalid, beside numbers.
        let distance = Int(bits & 0x3FFF) &* 2
        guard bits & 0xC000 == 0x8000, distance >= 16, number < 0,
            position &- distance >= Int(dictionary.lowest)
        else { return false }
        return form.isStored(at: dictionary.base + (position &- distance))
    }

    @inline(never)
    @usableFromInline
    mutating func valueInOtherForm(
        in dictionary: RawCollection, _ keys: Unmanaged<SharedKeyTable>
    ) -> RawValue? {
        let identity = UInt(bitPattern: keys.toOpaque())
        if tableIdentity == identity, pairIndex < dictionary.count,
            isFound(in: dictionary, identity)
        {
            return dictionary.value(at: pairIndex)?.unlessUndefined
        }
        return search(in: dictionary, keys.takeUnretainedValue())
    }

    /// Whether the pair at `pairIndex` has the key.
    @inline(__always)
    private func isFound(in dictionary: RawCollection, _ keys: UInt) -> Bool {
        let bits = dictionary.keyBits(pairIndex)
        if bits < 0x1000 { return Int(bits) == number && tableIdentity == keys }
        guard let words, let other = dictionary.slot(2 &* pairIndex)?.string else { return false }
        return other.count == words.count && KeyWords(other) == words
            // A key with a number must not be written as a string where numbers are used.
            && (!dictionary.usesNumbers || number < 0 && tableIdentity == keys)
    }

    @inline(never)
    private mutating func search(
        in dictionary: RawCollection, _ keys: SharedKeyTable
    ) -> RawValue? {
        if table !== keys {
            table = keys
            tableIdentity = UInt(bitPattern: Unmanaged.passUnretained(keys).toOpaque())
            number = words.flatMap { keys.index(of: $0) } ?? -1
        }
        var text = text
        return text.withUTF8 { utf8 in
            let key = LookupKey(UnsafeRawBufferPointer(utf8), number: number)
            guard let index = dictionary.keyPosition(of: key).pair else {
                return dictionary.hasParentKey ? dictionary.inheritedValue(of: key) : nil
            }
            pairIndex = index
            return dictionary.value(at: index)?.unlessUndefined
        }
    }
}

/// A string of 2 to 14 bytes in its stored form: its header and UTF-8, compared by two words.
@usableFromInline
struct ShortStringForm: Sendable {
    @usableFromInline let low: UInt64
    @usableFromInline let high: UInt64
    @usableFromInline let lowMask: UInt64
    @usableFromInline let highMask: UInt64

    /// For other strings, creates a form that never matches.
    init(_ text: UnsafeRawBufferPointer) {
        guard (2...14).contains(text.count) else {
            (low, high, lowMask, highMask) = (1, 0, 0, 0)
            return
        }
        let short = ShortString(text)
        let header = UInt64(FleeceTag.string << 4 | UInt8(text.count))
        low = short.low << 8 | header
        high = short.highBytes << 8 | short.low >> 56
        // The number of bits of header and string.
        let bits = 8 * (text.count + 1)
        lowMask = bits >= 64 ? .max : (1 << UInt64(bits)) - 1
        highMask = bits <= 64 ? 0 : (1 << UInt64(bits - 64)) - 1
    }

    /// Whether the string is stored at an address from which 16 bytes can be read.
    @inlinable @inline(__always)
    func isStored(at address: UnsafeRawPointer) -> Bool {
        let first = UInt64(littleEndian: address.loadUnaligned(as: UInt64.self))
        let second = UInt64(
            littleEndian: address.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        return ((first & lowMask) ^ low) | ((second & highMask) ^ high) == 0
    }
}
