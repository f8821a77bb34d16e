/// The table that replaces frequent dictionary keys by small integers, one per database.
///
/// A key is numbered when it is first used and keeps its number. Only keys of at most 16 bytes of
/// `A–Z a–z 0–9 _ -` are added, at most 2,048 of them. Copies are independent values.
public struct SharedKeys: Sendable {
    /// Shared by copies until one of them changes.
    private(set) var table: SharedKeyTable

    /// An empty table.
    public init() {
        table = SharedKeyTable.empty
    }

    /// How many keys it holds.
    public var count: Int { table.count }

    /// The keys; a key's number is its index.
    public var keys: [String] { table.keys }

    /// The key of a number.
    public func key(at index: Int) -> String? {
        index >= 0 && index < count ? table.name(at: index) : nil
    }

    /// The number of a key, nil if it is not in the table.
    public func index(of key: String) -> Int? {
        var key = key
        return key.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
    }

    /// The number of a key, which is added if it is eligible and there is space; else nil.
    public mutating func add(_ key: String) -> Int? {
        var key = key
        return key.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Takes back the keys that were added last, so that `count` are left.
    public mutating func revert(to count: Int) {
        guard count < self.count else { return }
        table = SharedKeyTable(copying: table, count: max(count, 0))
    }

    /// Whether a key may be added: at most 16 bytes of `A–Z a–z 0–9 _ -`; also the empty one.
    public static func isEligible(_ key: String) -> Bool {
        var key = key
        return key.withUTF8 { isEligible(UnsafeRawBufferPointer($0)) }
    }
}

extension SharedKeys {
    @inline(__always)
    func index(of key: UnsafeRawBufferPointer) -> Int? {
        guard key.count <= FleeceLimits.sharedKeyLength else { return nil }
        return table.index(of: KeyWords(key))
    }

    /// The bytes of the key with this number, nil if it is not in the table; valid while this value
    /// lives and is not changed.
    @inline(__always)
    func text(at index: Int) -> UnsafeRawBufferPointer? {
        index >= 0 && index < count ? table.text(at: index) : nil
    }

    mutating func add(_ key: UnsafeRawBufferPointer) -> Int? {
        if let known = index(of: key) { return known }
        guard count < FleeceLimits.sharedKeys, Self.isEligible(key) else { return nil }
        append(key)
        return count - 1
    }

    /// Takes the next key of a stored table, whatever its characters; false for one that is in
    /// the table already, is too long or is not UTF-8: no later number could then be trusted.
    mutating func appendStored(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count <= FleeceLimits.sharedKeyLength, count < FleeceLimits.sharedKeys,
            index(of: key) == nil, UTF8Validation.firstInvalid(in: key) == nil
        else { return false }
        append(key)
        return true
    }

    /// Whether it gives the same numbers to the same keys as `other`, and maybe has more.
    package func isExtension(of other: SharedKeys) -> Bool {
        table === other.table || table.begins(with: other.table)
    }

    private mutating func append(_ key: UnsafeRawBufferPointer) {
        if !isKnownUniquelyReferenced(&table) {
            table = SharedKeyTable(copying: table, count: count)
        }
        table.append(key)
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

extension SharedKeys {
    /// Whether both are copies of one value, of which none was changed since.
    package func isSameTable(as other: SharedKeys) -> Bool { table === other.table }
}

extension SharedKeys {
    /// Reads the stored form: a Fleece array of the keys in the order of their numbers.
    ///
    /// Throws `.invalidData` if it is not one, or if a key stands in it twice: the numbers after
    /// it would be in doubt.
    public init(state: [UInt8]) throws {
        self.init()
        try state.withUnsafeBytes { bytes in
            guard let keys = RawValue.root(of: bytes)?.array else {
                throw FleeceError(.invalidData, "the shared keys are not a Fleece array")
            }
            for index in 0..<keys.count {
                guard let key = keys.slot(index)?.string, appendStored(key) else {
                    throw FleeceError(.invalidData, "shared key \(index) is not a new short string")
                }
            }
        }
    }
}
