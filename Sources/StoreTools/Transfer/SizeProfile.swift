/// The sizes of a collection's documents and of their properties.
package struct SizeProfile: Sendable {
    /// The size of a document.
    package struct Document: Hashable, Sendable {
        package let key: String
        package let isDeleted: Bool
        /// The length of the column `body` in bytes.
        package let bodyBytes: Int
        /// The length of the column `extra` in bytes.
        package let extraBytes: Int

        /// The sum of both.
        package var bytes: Int { bodyBytes + extraBytes }
    }

    /// A top-level property.
    package struct Property: Hashable, Sendable {
        package let name: String
        /// The number of documents in the sample that have it.
        package internal(set) var count = 0
        /// Its approximate size in those, including its name. A value that is stored once and used
        /// several times counts each time.
        package internal(set) var bytes = 0
    }

    /// The number of live documents.
    package internal(set) var documents = 0
    /// The number of deleted documents.
    package internal(set) var tombstones = 0
    /// The total size of all bodies in bytes.
    package internal(set) var bodyBytes = 0
    /// The total size of the column `extra` in bytes.
    package internal(set) var extraBytes = 0
    /// A histogram of the bodies' sizes: at 0 the number of empty ones, at n those of 2^(n-1) to
    /// 2^n - 1 bytes.
    package internal(set) var histogram: [Int] = []
    /// The largest documents, in descending order of size.
    package internal(set) var largest: [Document] = []

    /// The number of documents in the sample.
    package internal(set) var sampledDocuments = 0
    /// The total size of their current bodies in bytes.
    package internal(set) var sampledBytes = 0
    /// The properties in the sample, in descending order of size.
    package internal(set) var properties: [Property] = []
    /// How often the sample uses each shared key, by its number, at any level.
    package internal(set) var keyUses: [Int] = []
    /// The number of uses of keys in the sample that are not shared keys.
    package internal(set) var textKeyUses = 0
}

extension SizeProfile {
    /// Counts a row.
    mutating func count(_ document: Document, largest limit: Int) {
        if document.isDeleted { tombstones += 1 } else { documents += 1 }
        bodyBytes += document.bodyBytes
        extraBytes += document.extraBytes
        let power = Int.bitWidth - max(document.bodyBytes, 0).leadingZeroBitCount
        while histogram.count <= power { histogram.append(0) }
        histogram[power] += 1
        keepLargest(document, limit)
    }

    private mutating func keepLargest(_ document: Document, _ limit: Int) {
        guard limit > 0 else { return }
        if largest.count >= limit, let last = largest.last {
            guard document.bytes > last.bytes else { return }
            largest.removeLast()
        }
        let index = largest.firstIndex { $0.bytes < document.bytes } ?? largest.endIndex
        largest.insert(document, at: index)
    }
}
