/// Lookup and iteration of dictionaries, on the raw view.
extension RawCollection {
    /// A key of a pair: a string, or the number of one.
    enum Key {
        case string(UnsafeRawBufferPointer)
        case number(Int)
    }

    /// The key of pair `index`, nil if it is neither a string nor a short integer.
    @inline(__always)
    func key(_ index: Int) -> Key? {
        guard let key = slot(2 &* index) else { return nil }
        if let number = key.shortInteger { return .number(number) }
        return key.string.map { .string($0) }
    }

    /// The dictionary that this one inherits from: the value of the key -2048, always the first.
    var parent: RawCollection? {
        guard count > 0, case .number(FleeceLimits.parentKey) = key(0) else { return nil }
        return slot(1)?.dictionary
    }

    /// The value of a key by its text, and by its number if it is a shared key.
    ///
    /// Nil if there is none, or if it is `undefined`, which deletes an inherited key.
    func value(_ text: UnsafeRawBufferPointer, number: Int?) -> RawValue? {
        var dictionary = self
        for _ in 0...FleeceLimits.parents {
            if let found = dictionary.ownValue(text, number: number) {
                return found.has(2) && found.byte(0) == FleeceSpecial.undefined ? nil : found
            }
            guard let parent = dictionary.parent else { return nil }
            dictionary = parent
        }
        return nil
    }

    /// A key that has a number is never written as text in a dictionary that uses numbers.
    private func ownValue(_ text: UnsafeRawBufferPointer, number: Int?) -> RawValue? {
        var low = 0
        var high = count
        let byNumber = number != nil && usesNumbers
        while low < high {
            let middle = (low + high) / 2
            guard let key = key(middle) else { return nil }
            let order: Int
            switch key {
            case .number(let other): order = byNumber ? (number ?? 0) - other : 1
            case .string(let other): order = byNumber ? -1 : compare(text, other)
            }
            if order == 0 { return slot(2 * middle + 1) }
            if order < 0 { high = middle } else { low = middle + 1 }
        }
        return nil
    }

    /// Whether its keys are numbers where they can be: the first one is, that of a parent aside.
    private var usesNumbers: Bool {
        guard count > 0, case .number(let first) = key(0) else { return false }
        guard first == FleeceLimits.parentKey else { return true }
        guard count > 1, case .number = key(1) else { return false }
        return true
    }
}

extension SharedKeys {
    /// The text of a key, nil if it cannot be read or its number is not in the table.
    @inline(__always)
    func text(of key: RawCollection.Key?) -> UnsafeRawBufferPointer? {
        switch key {
        case .string(let text): text
        case .number(let number): text(at: number)
        case nil: nil
        }
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
