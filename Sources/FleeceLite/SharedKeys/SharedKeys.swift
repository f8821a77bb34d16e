/// The table that replaces frequent dictionary keys by small integers, one per database.
///
/// A key is numbered when it is first used and keeps its number. Only keys of at most 16 bytes of
/// `A–Z a–z 0–9 _ -` are added, at most 2,048 of them. Copies are independent values.
public struct SharedKeys: Sendable {
    /// The keys; a key's number is its index.
    public private(set) var keys: [String] = []

    private var words: [KeyWords] = []
    /// Open addressing: the number of a key plus one, 0 for an empty slot.
    private var slots: [UInt16] = Array(repeating: 0, count: 64)
    private let seed = UInt64.random(in: .min ... .max)

    /// An empty table.
    public init() {}

    /// How many keys it holds.
    public var count: Int { keys.count }

    /// The key of a number.
    public func key(at index: Int) -> String? {
        keys.indices.contains(index) ? keys[index] : nil
    }

    /// The number of a key, nil if it is not in the table.
    public func index(of key: String) -> Int? {
        var key = key
        return key.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
    }

    /// The number of a key, which is added if it is eligible and there is room; else nil.
    public mutating func add(_ key: String) -> Int? {
        var key = key
        return key.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Takes back the keys that were added last, so that `count` are left.
    public mutating func revert(to count: Int) {
        guard count < keys.count else { return }
        keys.removeSubrange(count...)
        words.removeSubrange(count...)
        fillSlots(count: slots.count)
    }

    /// Whether a key may be added: at most 16 bytes of `A–Z a–z 0–9 _ -`; also the empty one.
    public static func isEligible(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { isEligible(UnsafeRawBufferPointer($0)) }
    }
}

extension SharedKeys {
    func index(of key: UnsafeRawBufferPointer) -> Int? {
        guard key.count <= FleeceLimits.sharedKeyLength else { return nil }
        let found = KeyWords(key)
        let slot = slots[place(of: found)]
        return slot == 0 ? nil : Int(slot) - 1
    }

    mutating func add(_ key: UnsafeRawBufferPointer) -> Int? {
        guard key.count <= FleeceLimits.sharedKeyLength else { return nil }
        let added = KeyWords(key)
        let slot = slots[place(of: added)]
        if slot != 0 { return Int(slot) - 1 }
        guard count < FleeceLimits.sharedKeys, Self.isEligible(key) else { return nil }
        append(String(decoding: key, as: UTF8.self), added)
        return count - 1
    }

    /// Takes the next key of a stored table, whatever its characters; false for one that is in
    /// the table already, is too long or is not UTF-8: no later number could then be trusted.
    mutating func appendStored(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count <= FleeceLimits.sharedKeyLength, count < FleeceLimits.sharedKeys,
            index(of: key) == nil, UTF8Validation.firstInvalid(in: key) == nil
        else { return false }
        append(String(decoding: key, as: UTF8.self), KeyWords(key))
        return true
    }

    private mutating func append(_ key: String, _ added: KeyWords) {
        keys.append(key)
        words.append(added)
        if count * 2 > slots.count {
            fillSlots(count: slots.count * 2)
        } else {
            slots[place(of: added)] = UInt16(count)
        }
    }

    private mutating func fillSlots(count: Int) {
        slots = Array(repeating: 0, count: count)
        for (index, word) in words.enumerated() { slots[place(of: word)] = UInt16(index + 1) }
    }

    /// The slot of a key, or the empty one where it belongs.
    private func place(of key: KeyWords) -> Int {
        let mask = slots.count - 1
        var place = key.hash(seed: seed) & mask
        while slots[place] != 0, words[Int(slots[place]) - 1] != key { place = (place + 1) & mask }
        return place
    }

    private static func isEligible(_ key: UnsafeRawBufferPointer) -> Bool {
        key.count <= FleeceLimits.sharedKeyLength && key.allSatisfy(isEligible)
    }

    private static func isEligible(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }
}
