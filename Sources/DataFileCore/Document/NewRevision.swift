internal import FleeceLite
internal import StoreFormat

/// A revision that is to be written; its bytes are borrowed for the length of a call.
struct NewRevision {
    /// The Fleece of its body, nil if it has no properties.
    let body: UnsafeRawBufferPointer?
    /// What the document becomes: `.deleted`, `.hasAttachments` or nothing.
    let flags: DocumentFlags
    /// The keys that the body's integer keys stand for.
    let sharedKeys: SharedKeys

    /// The revision that makes a document a tombstone.
    static func tombstone(_ sharedKeys: SharedKeys) -> NewRevision {
        NewRevision(body: nil, flags: .deleted, sharedKeys: sharedKeys)
    }

    /// The body of a revision without properties where one has to be stored.
    static let emptyBody: [UInt8] = [0x70, 0x00]

    /// A copy of the body, an empty dictionary if there is none.
    var bodyBytes: [UInt8] { body.map { [UInt8]($0) } ?? Self.emptyBody }

    /// The body as a document of its own.
    func document() throws -> FleeceDocument {
        guard let body else {
            return try FleeceDocument(trusted: Self.emptyBody, sharedKeys: sharedKeys)
        }
        return try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
    }
}
