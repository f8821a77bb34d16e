internal import BLIP
internal import FleeceLite
internal import Replication
internal import StoreFormat

/// A revision that is received: the message `rev`.
struct ReceivedRevision: Sendable {
    /// The request, which is answered when the revision is stored.
    let request: BLIPRequest
    var document: RemoteDocument
    /// The revision that was asked for, if it is another one.
    let asked: String
    /// The revision to which the body is a difference; nil for a whole body.
    let deltaSource: String?
    /// What the sender says instead of sending the revision.
    let failure: Int64?

    init(_ request: BLIPRequest) throws {
        let properties = request.message.properties
        guard let id = properties["id"], !id.isEmpty, id.utf8.count <= ChangeEntry.maximumID else {
            throw BLIPErrorResponse("HTTP", 400, "received invalid docID")
        }
        guard let revision = properties["rev"], !revision.hasSuffix("@*"),
            (try? RevisionID(revision)) != nil
        else {
            throw BLIPErrorResponse("HTTP", 400, "received invalid version ID")
        }
        self.request = request
        asked = properties["replacedRev"] ?? revision
        deltaSource = properties["deltaSrc"]
        failure = properties.int("error")
        document = RemoteDocument(
            id: id, revision: revision,
            history: RevisionHistory.text(revision: revision, property: properties["history"]),
            isDeleted: properties.bool("deleted"), body: request.message.body)
    }
}

/// How a side wants revisions to be sent, as it said in its responses.
struct ReceiverWishes: Sendable {
    var historyLength = RevisionHistory.usualLength
    /// Whether it understands references to blobs; otherwise they are listed in `_attachments`.
    var understandsBlobs = false
    var acceptsDeltas = false

    /// Reads the properties of a response to `changes` or `proposeChanges`. Deltas are announced
    /// once.
    mutating func read(_ properties: BLIPProperties) {
        historyLength =
            properties.int("maxHistory").map { Int(clamping: max($0, 1)) }
            ?? RevisionHistory.usualLength
        understandsBlobs = properties.bool("blobs")
        if properties.bool("deltas") { acceptsDeltas = true }
    }
}

/// How this side wants revisions to be sent, as it says in its responses.
struct OwnWishes: Sendable {
    let usesVectors: Bool
    private var hasAnnouncedDeltas = false

    init(usesVectors: Bool) {
        self.usesVectors = usesVectors
    }

    /// The properties of the next response to `changes` or `proposeChanges`.
    mutating func next() -> BLIPProperties {
        var properties: BLIPProperties = [:]
        if !usesVectors { properties["maxHistory"] = "\(RevisionHistory.usualLength)" }
        properties["blobs"] = "true"
        if !hasAnnouncedDeltas { properties["deltas"] = "true" }
        properties["sendReplacementRevs"] = "1"
        hasAnnouncedDeltas = true
        return properties
    }
}

/// A revision that is sent.
struct SentRevision: Sendable {
    var document: RemoteDocument
    /// The JSON of its sequence.
    var sequence: String
    /// Revisions that the receiver has.
    var known: [String]
    /// Set if the receiver shall refuse it if it has another revision.
    var refusesConflicts = false
    /// The revision that was asked for, if it is another one.
    var asked: String?
    /// A revision that the receiver has, and the difference to it.
    var delta: (source: String, json: [UInt8])?

    /// The message `rev`.
    func message(collection: Int, _ wishes: ReceiverWishes) throws -> BLIPMessage {
        var properties: BLIPProperties = [
            "Profile": "rev", "collection": "\(collection)", "id": document.id,
            "rev": document.revision,
        ]
        properties["replacedRev"] = asked
        properties["sequence"] = sequence
        if document.isDeleted { properties["deleted"] = "1" }
        properties["history"] = RevisionHistory.property(
            of: document, known: known, maximumLength: wishes.historyLength)
        if refusesConflicts { properties["noconflicts"] = "1" }
        properties["deltaSrc"] = delta?.source
        return BLIPMessage(properties, body: try delta?.json ?? document.sentBody(wishes))
    }
}
