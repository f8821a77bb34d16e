/// A borrowed document whose root is a dictionary, for checks that must not cost a copy.
package struct RawBody {
    private let bytes: UnsafeRawBufferPointer
    let root: RawCollection
    let sharedKeys: SharedKeys

    /// Nil if the root is not a dictionary; the bytes must outlive this value.
    package init?(_ bytes: UnsafeRawBufferPointer, sharedKeys: SharedKeys) {
        guard let root = RawValue.root(of: bytes)?.dictionary else { return nil }
        self.bytes = bytes
        self.root = root
        self.sharedKeys = sharedKeys
    }

    /// Whether a key of the root is the number of a shared key.
    package var usesSharedKeys: Bool {
        (0..<root.count).contains { if case .number(0...) = root.key($0) { true } else { false } }
    }

    /// Whether it has no properties.
    package var isEmpty: Bool { root.count == 0 }

    /// Whether the root has a property of this name.
    package func contains(key: String) -> Bool {
        var key = key
        return key.withUTF8 { utf8 in
            let text = UnsafeRawBufferPointer(utf8)
            return root.value(text, number: sharedKeys.index(of: text)) != nil
        }
    }

    /// Whether there are attachments in the form of Couchbase Lite 1, in the root's property
    /// `_attachments`.
    package var hasAttachments: Bool {
        let value = Self.attachmentsKey.withUnsafeBytes {
            root.value($0, number: sharedKeys.index(of: $0))
        }
        return (value?.dictionary?.count ?? 0) > 0
    }

    /// Whether any dictionary in it is a blob's: its `@type` is `blob`.
    package var hasBlobs: Bool {
        // The name is not a shared key, so its text is contained in the bytes
        // of every body with a blob.
        guard bytes.offset(of: Self.typeKey) != nil else { return false }
        var dictionaries: [RawCollection] = [root]
        var arrays: [RawCollection] = []
        // A small body can refer to its collections repeatedly.
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
    private static let attachmentsKey = Array("_attachments".utf8)
    private static let blobType = Array("blob".utf8)

    private func isBlob(_ dictionary: RawCollection) -> Bool {
        let type = Self.typeKey.withUnsafeBytes { dictionary.value($0, number: nil) }
        return type?.string?.elementsEqual(Self.blobType) ?? false
    }
}
