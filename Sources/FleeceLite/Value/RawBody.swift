/// A borrowed document whose root is a dictionary, for checks that must not cost a copy.
package struct RawBody {
    private let bytes: UnsafeRawBufferPointer
    private let root: RawCollection
    private let sharedKeys: SharedKeys

    /// Nil if the root is no dictionary; the bytes must outlive this value.
    package init?(_ bytes: UnsafeRawBufferPointer, sharedKeys: SharedKeys) {
        guard let root = RawValue.root(of: bytes)?.dictionary else { return nil }
        self.bytes = bytes
        self.root = root
        self.sharedKeys = sharedKeys
    }

    /// Whether the outermost level has a key that is the number of a shared one.
    package var usesSharedKeys: Bool {
        (0..<root.count).contains { if case .number(0...) = root.key($0) { true } else { false } }
    }

    /// Whether it has no properties.
    package var isEmpty: Bool { root.count == 0 }

    /// Whether the outermost level has a property of this name.
    package func contains(key: String) -> Bool {
        var key = key
        return key.withUTF8 { utf8 in
            let text = UnsafeRawBufferPointer(utf8)
            return root.value(text, number: sharedKeys.index(of: text)) != nil
        }
    }

    /// Whether a dictionary anywhere in it is a blob's: its `@type` is `blob`.
    package var refersToBlobs: Bool {
        // The name is no shared key, so its text stands in the bytes of every body with a blob.
        guard bytes.contains(Self.typeKey) else { return false }
        var dictionaries: [RawCollection] = [root]
        var arrays: [RawCollection] = []
        // A small body can use its collections again and again.
        var seen: Set<Int> = []
        while true {
            if let next = dictionaries.popLast() {
                if isBlob(next) { return true }
                for index in 0..<next.count { push(next.slot(2 * index + 1)) }
            } else if let next = arrays.popLast() {
                for index in 0..<next.count { push(next.slot(index)) }
            } else {
                return false
            }
        }
        func push(_ value: RawValue?) {
            if let dictionary = value?.dictionary {
                if seen.insert(dictionary.offset).inserted { dictionaries.append(dictionary) }
            } else if let array = value?.array {
                if seen.insert(array.offset).inserted { arrays.append(array) }
            }
        }
    }

    private static let typeKey = Array("@type".utf8)
    private static let blobType = Array("blob".utf8)

    private func isBlob(_ dictionary: RawCollection) -> Bool {
        let type = Self.typeKey.withUnsafeBytes { dictionary.value($0, number: nil) }
        return type?.string?.elementsEqual(Self.blobType) ?? false
    }
}

extension UnsafeRawBufferPointer {
    /// Whether `pattern`, of at least two bytes, stands somewhere in the bytes.
    ///
    /// Sixteen places at a time are looked at for its first two bytes.
    fileprivate func contains(_ pattern: [UInt8]) -> Bool {
        let first = SIMD16<UInt8>(repeating: pattern[0])
        let second = SIMD16<UInt8>(repeating: pattern[1])
        var start = 0
        while start &+ 17 <= count {
            let left = loadUnaligned(fromByteOffset: start, as: SIMD16<UInt8>.self)
            let right = loadUnaligned(fromByteOffset: start &+ 1, as: SIMD16<UInt8>.self)
            // Zero where both are as they should be.
            let difference = unsafeBitCast(
                (left ^ first) | (right ^ second), to: SIMD2<UInt64>.self)
            if difference[0].hasZeroByte || difference[1].hasZeroByte,
                contains(pattern, in: start..<start &+ 16)
            {
                return true
            }
            start &+= 16
        }
        return contains(pattern, in: start..<count)
    }

    private func contains(_ pattern: [UInt8], in places: Range<Int>) -> Bool {
        for place in places where place + pattern.count <= count && self[place] == pattern[0] {
            if self[place..<(place + pattern.count)].elementsEqual(pattern) { return true }
        }
        return false
    }
}

extension UInt64 {
    fileprivate var hasZeroByte: Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        return (self &- ones) & ~self & (ones &* 0x80) != 0
    }
}
