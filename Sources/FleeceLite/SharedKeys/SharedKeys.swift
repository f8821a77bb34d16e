/// The table that replaces frequent dictionary keys with small integers; each database has one.
///
/// The documents of a database tend to have the same few keys. A numbered key takes 2 bytes in a
/// document instead of a string and a pointer to it, and is found faster.
///
/// A key gets the next number when an encoder first uses it, and retains it. Only keys of at most
/// 16 bytes of `A–Z a–z 0–9 _ -` are added, at most 2,048 of them; all other keys remain strings in
/// the documents.
///
/// ```swift
/// var encoder = FleeceEncoder(sharedKeys: SharedKeys())
/// try encoder.writeJSON(#"{"name": "Ada", "first name": "Augusta"}"#)
/// let bytes = try encoder.finish()
/// let keys = encoder.sharedKeys ?? SharedKeys()  // "name" is number 0
/// ```
///
/// A document with numeric keys can be read only with the table, or a later state of it: store
/// ``stateData()`` together with the documents. A table from elsewhere gives its keys other names,
/// without an error.
///
/// ```swift
/// let state = try sharedKeys.stateData()
/// let restored = try SharedKeys(state: state)
/// let document = try FleeceDocument(trusted: fleeceBytes, sharedKeys: restored)
/// ```
///
/// Copies are independent values, and share their storage until one of them changes. An encoder has
/// its own copy: after writing, read ``FleeceEncoder/sharedKeys`` to get the table with the added
/// keys. A `DataFile` does all of this itself.
///
/// See also <doc:NumberedKeys>.
public struct SharedKeys: Sendable {
    /// Shared by copies until one of them changes.
    private(set) var table: SharedKeyTable

    /// Creates an empty table. It allocates nothing until a key is added.
    public init() {
        table = SharedKeyTable.empty
    }

    /// The number of keys in the table, at most ``FleeceLimits/sharedKeys``.
    public var count: Int { table.count }

    /// The keys; a key's number is its index.
    ///
    /// Each call creates a new array of strings.
    public var keys: [String] { table.keys }

    /// Returns the key with a number; nil if there is none.
    ///
    /// - Parameter index: the number, from 0.
    public func key(at index: Int) -> String? {
        index >= 0 && index < count ? table.name(at: index) : nil
    }

    /// Returns the number of a key; nil if it is not in the table.
    ///
    /// It is a lookup in a hash table. To add the key if it is missing, use ``add(_:)``.
    ///
    /// - Parameter key: the key; one that is not eligible is never in the table.
    public func index(of key: String) -> Int? {
        var key = key
        return key.withUTF8 { index(of: UnsafeRawBufferPointer($0)) }
    }

    /// Adds a key unless it is in the table, and returns its number.
    ///
    /// Encoders add keys themselves. Add the keys of a format in advance to give them the same
    /// numbers in all databases:
    ///
    /// ```swift
    /// var keys = SharedKeys()
    /// for key in ["type", "name", "created"] { _ = keys.add(key) }
    /// ```
    ///
    /// - Parameter key: the key.
    /// - Returns: the number of the key; nil if it is not in the table and cannot be added, since
    ///   it is not eligible (see ``isEligible(_:)``) or the table is full.
    public mutating func add(_ key: String) -> Int? {
        var key = key
        return key.withUTF8 { add(UnsafeRawBufferPointer($0)) }
    }

    /// Removes the keys that were added last, so that at most `count` keys remain.
    ///
    /// Use it to undo the additions of an encoder whose document is not stored:
    ///
    /// ```swift
    /// var keys = sharedKeys
    /// let count = keys.count
    /// let bytes = try FleeceRowEncoder().encode(["name": "Ada"], sharedKeys: &keys)
    /// if bytes.count > 1000 { keys.revert(to: count) }
    /// ```
    ///
    /// - Parameter count: the ``count`` of the table before the document was encoded. Nothing
    ///   happens if the table has fewer keys.
    public mutating func revert(to count: Int) {
        guard count < self.count else { return }
        table = SharedKeyTable(copying: table, count: max(count, 0))
    }

    /// Whether a key may be added: at most 16 bytes of `A–Z a–z 0–9 _ -`; the empty key is
    /// eligible.
    ///
    /// A key with a space, a dot or a letter beyond ASCII is always written as a string.
    ///
    /// - Parameter key: the key to check, whether or not it is in a table.
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

    /// The bytes of the key with this number; nil if it is not in the table. Valid as long as this
    /// value exists and is not changed.
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

    /// Appends the next key of a stored table, whatever its characters; returns false
    /// for a key that is already in the table, is too long or is not UTF-8: the numbers
    /// after it would be unreliable.
    mutating func appendStored(_ key: UnsafeRawBufferPointer) -> Bool {
        guard key.count <= FleeceLimits.sharedKeyLength, count < FleeceLimits.sharedKeys,
            index(of: key) == nil, UTF8Validation.firstInvalid(in: key) == nil
        else { return false }
        append(key)
        return true
    }

    /// Whether the keys of `other` have the same numbers here; this table may have more keys.
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
    /// Whether both are unchanged copies of one value.
    package func isSameTable(as other: SharedKeys) -> Bool { table === other.table }
}

extension SharedKeys {
    /// Reads a table in its stored form: a Fleece array of the keys in the order of their numbers.
    ///
    /// - Parameter state: the bytes that ``stateData()`` returned, or those of another
    ///   implementation. Keys with other characters than eligible ones are accepted.
    /// - Throws: ``FleeceError/Code/invalidData`` if it is not such an array, or if a key occurs
    ///   twice: the numbers after it would be unreliable.
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
