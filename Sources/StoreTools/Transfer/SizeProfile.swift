/// How large the documents of a collection are, and what in them is.
package struct SizeProfile: Sendable {
    /// One document.
    package struct Document: Hashable, Sendable {
        package let key: String
        package let isDeleted: Bool
        /// The bytes of the column `body`.
        package let bodyBytes: Int
        /// The bytes of the column `extra`.
        package let extraBytes: Int

        /// The bytes of both.
        package var bytes: Int { bodyBytes + extraBytes }
    }

    /// A property of the outermost level.
    package struct Property: Hashable, Sendable {
        package let name: String
        /// How many of the documents in the sample have it.
        package internal(set) var count = 0
        /// What it takes up in those, its name included: about, since what is written once and
        /// used several times counts each time.
        package internal(set) var bytes = 0
    }

    /// Documents that are alive.
    package internal(set) var documents = 0
    /// Documents that are deleted.
    package internal(set) var tombstones = 0
    /// The bytes of all bodies.
    package internal(set) var bodyBytes = 0
    /// The bytes of the column `extra` of all documents.
    package internal(set) var extraBytes = 0
    /// How many bodies have how many bytes: at 0 those of none, at n those of 2^(n-1) to 2^n - 1.
    package internal(set) var histogram: [Int] = []
    /// The largest documents, the largest one first.
    package internal(set) var largest: [Document] = []

    /// How many documents were looked into.
    package internal(set) var sampledDocuments = 0
    /// The bytes of their current bodies.
    package internal(set) var sampledBytes = 0
    /// The properties in the sample, those first that take up most.
    package internal(set) var properties: [Property] = []
    /// How often each shared key, by its number, is used in the sample, on whatever level.
    package internal(set) var keyUses: [Int] = []
    /// How many keys in the sample are not shared.
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
        let place = largest.firstIndex { $0.bytes < document.bytes } ?? largest.endIndex
        largest.insert(document, at: place)
    }
}
