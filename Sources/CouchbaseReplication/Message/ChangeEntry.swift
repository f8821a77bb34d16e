internal import BLIP
internal import FleeceLite
internal import Replication

/// A change in a `changes` message: `[sequence, docID, revID, deleted, bodySize]`.
struct ChangeEntry: Sendable, Equatable {
    /// The JSON of the sequence, which only the sender understands.
    var sequence: String
    var id: String
    var revision: String
    var isDeleted = false
    /// Whether the user may not read the document any more.
    var isRemoved = false
    /// The size of the body in bytes, about.
    var size = 0
}

extension ChangeEntry {
    // The bits of the fourth element.
    private static let deleted: Int64 = 1
    private static let revoked: Int64 = 2
    private static let removed: Int64 = 4

    /// Reads an element of the body.
    init(_ value: FleeceValue) throws {
        guard let parts = value.array, parts.count >= 3, let id = parts[1].string,
            let revision = parts[2].string, !id.isEmpty, id.utf8.count <= Self.maximumID,
            !revision.isEmpty
        else {
            throw ReplicationError(
                .badRemoteData, "the other side sent a change that is not valid: \(value)")
        }
        self.id = id
        self.revision = revision.currentVersion
        sequence = try JSONBody.text(of: parts[0])
        let flags = parts.count > 3 ? parts[3].int ?? (parts[3].bool == true ? 1 : 0) : 0
        isDeleted = flags & Self.deleted != 0
        // A document that was deleted when it was removed from a channel is just deleted.
        isRemoved = flags & Self.revoked != 0 || flags == Self.removed
        size = parts.count > 4 ? Int(clamping: parts[4].int ?? 0) : 0
    }

    /// The bytes of the ID of a document, which LiteCore limits, too.
    static let maximumID = 255

    func append(to text: inout JSONText) {
        text.append("[")
        text.append(contentsOf: sequence)
        text.append(",")
        text.append(quoted: id)
        text.append(",")
        text.append(quoted: revision)
        text.append(isDeleted ? ",1," : ",0,")
        text.append(Int64(size))
        text.append("]")
    }
}

extension String {
    /// The first version of a vector. While LiteCore observes a database, it announces and proposes
    /// its changes with the whole vectors, and then sends the first version as the revision.
    var currentVersion: String { String(prefix { $0 != "," && $0 != ";" }) }
}

extension JSONText {
    /// Appends JSON that is already written.
    mutating func append(contentsOf json: String) { utf8 += json.utf8 }

    /// Appends an array, whose elements a closure appends.
    mutating func append<Elements: Sequence>(
        array elements: Elements, _ append: (Elements.Element, inout JSONText) -> Void
    ) {
        self.append("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { self.append(",") }
            append(element, &self)
        }
        self.append("]")
    }

    /// Appends an array of strings.
    mutating func append(array strings: [String]) {
        append(array: strings) { $1.append(quoted: $0) }
    }
}

/// An answer to an entry of `changes` or `proposeChanges`.
enum ChangeAnswer: Sendable, Equatable {
    /// The revision is wanted; the receiver has these ones of the document.
    case wanted(known: [String])
    /// It is not wanted: the receiver has it, or a later one.
    case known
    /// It is not accepted: a status of HTTP, and the receiver's revision if it told it.
    case refused(status: Int64, revision: String?)
}

extension ChangeAnswer {
    /// Reads an element of the response to `changes`.
    init(toChange value: FleeceValue) {
        if let revisions = value.array {
            self = .wanted(known: revisions.compactMap(\.string))
        } else {
            let status = value.int ?? 0
            self = status == 0 ? .known : .refused(status: status, revision: nil)
        }
    }

    /// Reads an element of the response to `proposeChanges`, in which 0 means that it is wanted.
    init(toProposal value: FleeceValue) {
        if let members = value.dictionary {
            let status = members["status"]?.int ?? 0
            self = Self(proposalStatus: status, members["rev"]?.string)
        } else {
            self = Self(proposalStatus: value.int ?? 0, nil)
        }
    }

    private init(proposalStatus status: Int64, _ revision: String?) {
        switch status {
        case 0: self = .wanted(known: [])
        case 304: self = .known
        default: self = .refused(status: status, revision: revision)
        }
    }
}
