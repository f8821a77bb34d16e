internal import DocumentStore

/// What an import does with the documents that it reads.
struct ImportOptions: Sendable {
    /// What is done with a document that is in the collection already.
    enum Mode: String, CaseIterable, Sendable {
        /// It is written over.
        case replace
        /// It is a mistake.
        case insert
        /// It gets the properties of the new one, and keeps its others (RFC 7396).
        case merge
        /// It stays as it is.
        case skip
    }

    /// Where a document's id comes from.
    enum Identity: Sendable {
        /// The property `_id`, else the file's name, else a new one.
        case standard
        /// A property that stays in the document: `customer.number`.
        case property([String])
        /// Always a new one.
        case new
    }

    /// What is done with what cannot be taken.
    enum OnError: String, CaseIterable, Sendable {
        case stop, skip
    }

    var collection: DocumentCollection
    var mode = Mode.replace
    var identity = Identity.standard
    var prefix = ""
    /// Documents in one transaction.
    var batch = 10_000
    var onError = OnError.stop
    /// A file for what cannot be taken, which is then passed over.
    var errorLog: String?
    /// The line of the first file to begin at.
    var fromLine = 1
    /// Documents to leave out at the beginning.
    var offset = 0
    var limit = Int.max
    var isJSON5 = false
    /// How many documents pass between two messages; nil for none.
    var tellsEvery: Int?
}

/// What an import did.
struct ImportCounts: Sendable {
    /// Those that were written.
    var imported: Int { new + overwritten }
    /// They were not there, or deleted.
    var new = 0
    /// They were there, and are as the file has them now, or merged with that.
    var overwritten = 0
    /// They were there already, and have stayed as they were.
    var skipped = 0
    /// They could not be taken.
    var failed = 0

    var total: Int { imported + skipped + failed }

    /// `3 new, 2 overwritten`; what is none is left out.
    func words(isMerged: Bool = false) -> String {
        let old = overwritten == 0 ? nil : "\(overwritten) \(isMerged ? "merged" : "overwritten")"
        return [new == 0 ? nil : "\(new) new", old].compactMap(\.self).joined(separator: ", ")
    }
}
