package import DocumentStore

/// The options of an import.
package struct ImportOptions: Sendable {
    /// The action for a document that already exists.
    package enum Mode: String, CaseIterable, Sendable {
        /// Replaces the document.
        case replace
        /// Reports an error.
        case insert
        /// Merges the new properties into the document (RFC 7396).
        case merge
        /// Leaves the document unchanged.
        case skip
    }

    /// The source of a document's ID.
    package enum Identity: Sendable {
        /// The property `_id`, or the file's name, or a generated ID.
        case standard
        /// A property, which remains in the document: `customer.number`.
        case property([String])
        /// Always a generated ID.
        case new
    }

    /// The action for an invalid record.
    package enum OnError: String, CaseIterable, Sendable {
        case stop, skip
    }

    package var collection: DocumentCollection
    package var mode = Mode.replace
    package var identity = Identity.standard
    package var prefix = ""
    /// The number of documents per transaction.
    package var batch = 10_000
    package var onError = OnError.stop
    /// The file for invalid records, which are then skipped.
    package var errorLog: String?
    /// The line of the first file to start at.
    package var fromLine = 1
    /// The number of documents to skip at the start.
    package var offset = 0
    package var limit = Int.max
    package var isJSON5 = false
    /// Whether nothing is kept.
    package var isDry = false
    /// The number of documents between two progress messages; nil for none.
    package var reportsEvery: Int?

    package init(
        collection: DocumentCollection, mode: Mode = .replace, identity: Identity = .standard,
        prefix: String = "", batch: Int = 10_000, onError: OnError = .stop, errorLog: String? = nil,
        fromLine: Int = 1, offset: Int = 0, limit: Int = Int.max, isJSON5: Bool = false,
        reportsEvery: Int? = nil
    ) {
        self.collection = collection
        self.mode = mode
        self.identity = identity
        self.prefix = prefix
        self.batch = batch
        self.onError = onError
        self.errorLog = errorLog
        self.fromLine = fromLine
        self.offset = offset
        self.limit = limit
        self.isJSON5 = isJSON5
        self.reportsEvery = reportsEvery
    }
}

/// The result of an import.
package struct ImportCounts: Sendable {
    /// The documents that were written.
    package var imported: Int { new + overwritten }
    /// The documents that did not exist, or were deleted.
    package var new = 0
    /// The documents that existed and were replaced or merged.
    package var overwritten = 0
    /// The documents that existed and were left unchanged.
    package var skipped = 0
    /// The records that are invalid.
    package var failed = 0

    package init(new: Int = 0, overwritten: Int = 0, skipped: Int = 0, failed: Int = 0) {
        self.new = new
        self.overwritten = overwritten
        self.skipped = skipped
        self.failed = failed
    }

    package var total: Int { imported + skipped + failed }

    /// Describes the counts: `3 new, 2 overwritten`, without those that are zero.
    package func words(isMerged: Bool = false) -> String {
        let old = overwritten == 0 ? nil : "\(overwritten) \(isMerged ? "merged" : "overwritten")"
        return [new == 0 ? nil : "\(new) new", old].compactMap(\.self).joined(separator: ", ")
    }
}
