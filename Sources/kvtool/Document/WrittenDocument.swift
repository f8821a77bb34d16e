internal import DocumentStore

/// A document that is to be written, as it is or as it was in one revision.
struct WrittenDocument {
    let id: String
    let revision: String?
    let sequence: Int64?
    let flags: DocumentFlags
    let expiration: Int64?
    let properties: FleeceDictionary?

    init(_ document: Document) {
        id = document.id
        revision = document.revisionID?.description
        sequence = document.sequence
        flags = document.flags
        expiration = document.expiration
        properties = document.properties
    }

    init(_ document: Document, _ known: RevisionListItem) {
        id = document.id
        revision = known.id.description
        sequence =
            known.isCurrent
            ? document.sequence : known.sequence.flatMap { Int64(exactly: $0) }
        flags = known.isCurrent ? document.flags : known.flags
        expiration = document.expiration
        properties = known.properties
    }
}

extension WrittenDocument {
    /// What is known of it besides its properties, as properties that begin with `_`.
    var metadata: [(key: String, json: JSONText)] {
        var properties: [(key: String, json: JSONText)] = []
        func add(_ key: String, _ write: (inout JSONText) -> Void) {
            var text = JSONText()
            write(&text)
            properties.append((key, text))
        }
        if let revision { add("_rev") { $0.append(quoted: revision) } }
        if let sequence { add("_sequence") { $0.append(sequence) } }
        add("_flags") { text in
            text.append("[")
            for (index, name) in flags.names.enumerated() {
                if index > 0 { text.append(",") }
                text.append(quoted: name)
            }
            text.append("]")
        }
        if let expiration { add("_expiration") { $0.append(expiration) } }
        return properties
    }
}
