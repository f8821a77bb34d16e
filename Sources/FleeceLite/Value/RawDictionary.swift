/// Lookup and iteration of dictionaries on the raw view.
extension RawCollection {
    /// The key of a pair: a string, or the number of a shared key.
    enum Key {
        case string(UnsafeRawBufferPointer)
        case number(Int)
    }

    /// The key of pair `index`; nil if it is neither a string nor a short integer in its slot.
    @inline(__always)
    func key(_ index: Int) -> Key? {
        let bits = keyBits(index)
        if bits < 0x1000 { return .number(Int(Int16(bitPattern: bits &<< 4) &>> 4)) }
        return slot(2 &* index)?.string.map { .string($0) }
    }

    /// The value of pair `index`.
    @inlinable @inline(__always)
    func value(at index: Int) -> RawValue? { slot(2 &* index &+ 1) }

    /// Whether the first key is -2048, the parent key.
    @inlinable @inline(__always)
    var hasParentKey: Bool { count > 0 && keyBits(0) == 0x0800 }

    /// The dictionary that this one inherits from: the value of the key
    /// -2048, which is always first.
    var parent: RawCollection? {
        hasParentKey ? slot(1)?.dictionary : nil
    }

    /// The value of a key by its text, and by its number if it is a shared key.
    ///
    /// Nil if there is none, or if it is `undefined`, which deletes an inherited key.
    func value(_ text: UnsafeRawBufferPointer, number: Int?) -> RawValue? {
        value(of: LookupKey(text, number: number ?? -1))
    }

    @inline(__always)
    func value(of key: LookupKey) -> RawValue? {
        if let pair = keyPosition(of: key).pair { return value(at: pair)?.unlessUndefined }
        return hasParentKey ? inheritedValue(of: key) : nil
    }

    @inline(never)
    func inheritedValue(of key: LookupKey) -> RawValue? {
        var dictionary = self
        for _ in 0..<FleeceLimits.parents {
            guard let parent = dictionary.parent else { return nil }
            if let pair = parent.keyPosition(of: key).pair {
                return parent.value(at: pair)?.unlessUndefined
            }
            dictionary = parent
        }
        return nil
    }

    /// Whether shared keys are written as numbers: the first key, not counting the
    /// parent key, is a number.
    @inline(__always)
    var usesNumbers: Bool {
        let first = hasParentKey ? 1 : 0
        return first < count && keyBits(first) < 0x1000
    }
}

extension RawCollection {
    /// The text of a slot of 2 bytes that refers to a short string a short distance back, as most
    /// keys do; nil for other slots.
    @inlinable @inline(__always)
    func shortText(at position: Int) -> UnsafeRawBufferPointer? {
        let bits = bits(at: position)
        let distance = Int(bits & 0x3FFF) &* 2
        guard bits & 0xC000 == 0x8000, position &- distance >= Int(lowest) else { return nil }
        let address = base + (position &- distance)
        let count = Int(address.load(as: UInt8.self) &- FleeceTag.string &<< 4)
        guard count < 15, count < distance else { return nil }
        return UnsafeRawBufferPointer(start: address + 1, count: count)
    }
}

extension RawValue {
    /// The value; nil if it is `undefined`.
    @inlinable @inline(__always)
    var unlessUndefined: RawValue? {
        has(2) && byte(0) == FleeceSpecial.undefined ? nil : self
    }
}

extension SharedKeys {
    /// The text of a key; nil if it cannot be read or its number is not in the table.
    @inline(__always)
    func text(of key: RawCollection.Key?) -> UnsafeRawBufferPointer? { table.text(of: key) }

    /// The text of a key of the dictionary at an offset.
    ///
    /// Throws `.invalidData` if the key has no text.
    @inline(__always)
    func requireText(
        of key: RawCollection.Key?, offset: Int
    ) throws -> UnsafeRawBufferPointer {
        try table.requireText(of: key, offset: offset)
    }
}

extension SharedKeyTable {
    /// The text of a key; nil if it cannot be read or its number is not in the table.
    @inline(__always)
    func text(of key: RawCollection.Key?) -> UnsafeRawBufferPointer? {
        switch key {
        case .string(let text): text
        case .number(let number): number >= 0 && number < count ? text(at: number) : nil
        case nil: nil
        }
    }

    /// The text of a key of the dictionary at an offset.
    ///
    /// Throws `.invalidData` if the key has no text.
    @inline(__always)
    func requireText(
        of key: RawCollection.Key?, offset: Int
    ) throws -> UnsafeRawBufferPointer {
        guard let text = text(of: key) else { throw Self.unreadable(key, offset) }
        return text
    }

    @inline(never)
    private static func unreadable(_ key: RawCollection.Key?, _ offset: Int) -> FleeceError {
        if case .number(let number) = key {
            return FleeceError(
                .invalidData, "no shared key has the number \(number)", offset: offset)
        }
        return FleeceError(.invalidData, "a key is not a string", offset: offset)
    }
}

/// Orders keys as the format does: numbers by value, then strings.
func compare(_ left: RawCollection.Key, _ right: RawCollection.Key) -> Int {
    switch (left, right) {
    case (.number(let left), .number(let right)): left - right
    case (.number, .string): -1
    case (.string, .number): 1
    case (.string(let left), .string(let right)): compare(left, right)
    }
}

/// Orders strings as the format does: by bytes, then the shorter first.
func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    guard let leftStart = left.baseAddress, let rightStart = right.baseAddress else {
        return left.count - right.count
    }
    let count = min(left.count, right.count)
    var offset = 0
    while offset &+ 8 <= count {
        let leftWord = leftStart.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        let rightWord = rightStart.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        if leftWord != rightWord { return leftWord.bigEndian < rightWord.bigEndian ? -1 : 1 }
        offset &+= 8
    }
    while offset < count {
        let leftByte = leftStart.load(fromByteOffset: offset, as: UInt8.self)
        let rightByte = rightStart.load(fromByteOffset: offset, as: UInt8.self)
        if leftByte != rightByte { return leftByte < rightByte ? -1 : 1 }
        offset &+= 1
    }
    return left.count - right.count
}
