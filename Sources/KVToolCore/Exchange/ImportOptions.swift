package import DocumentStore

/// What an import does with the documents that it reads.
package struct ImportOptions: Sendable {
    /// What is done with a document that is in the collection already.
    package enum Mode: String, CaseIterable, Sendable {
        /// It is written over.
        case replace
        /// It is an error.
        case insert
        /// It gets the properties of the new one, and keeps its others (RFC 7396).
        case merge
        /// It stays as it is.
        case skip
    }

    /// Where a document's id comes from.
    package enum Identity: Sendable {
        /// The property `_id`, else the file's name, else a new one.
        case standard
        /// A property that stays in the document: `customer.number`.
        case property([String])
        /// Always a new one.
        case new
    }

    /// What is done with what cannot be taken.
    package enum OnError: String, CaseIterable, Sendable {
        case stop, skip
    }

    package var collection: DocumentCollection
    package var mode = Mode.replace
    package var identity = Identity.standard
    package var prefix = ""
    /// Documents in one transaction.
    package var batch = 10_000
    package var onError = OnError.stop
    /// A file for what cannot be taken, which is then passed over.
    package var errorLog: String?
    /// The line of the first file to begin at.
    package var fromLine = 1
    /// Documents to leave out at the beginning.
    package var offset = 0
    package var limit = Int.max
    package var isJSON5 = false
    /// How many documents pass between two messages; nil for none.
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

/// What an import did.
package struct ImportCounts: Sendable {
    /// Those that were written.
    package var imported: Int { new + overwritten }
    /// They were not there, or deleted.
    package var new = 0
    /// They were there, and are as the file has them now, or merged with that.
    package var overwritten = 0
    /// They were there already, and have stayed as they were.
    package var skipped = 0
    /// They could not be taken.
    package var failed = 0

    package init(new: Int = 0, overwritten: Int = 0, skipped: Int = 0, failed: Int = 0) {
        self.new = new
        self.overwritten = overwritten
        self.skipped = skipped
        self.failed = failed
    }

    package var total: Int { imported + skipped + failed }

    /// `3 new, 2 overwritten`; what is none is left out.
    package func words(isMerged: Bool = false) -> String {
        let old = overwritten == 0 ? nil : "\(overwritten) \(isMerged ? "merged" : "overwritten")"
        return [new == 0 ? nil : "\(new) new", old].compactMap(\.self).joined(separator: ", ")
    }
}
