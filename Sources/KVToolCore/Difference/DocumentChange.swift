internal import DocumentStore
internal import StorePlatform

/// A difference between two databases: in a document, or a collection that only one of them has.
///
/// As JSON it is a line of a patch, with the fields of `columns`.
package struct DocumentChange {
    /// What makes the second database of the first.
    enum Kind: String {
        case added, removed, changed
    }

    let collection: CollectionName
    /// Nil for the collection itself.
    let id: String?
    let kind: Kind
    /// Whether the second one has a tombstone.
    var deleted: Bool?
    /// Whether the first one has a tombstone.
    var wasDeleted: Bool?
    /// The digest of the first one's body.
    var was: String?
    /// The digest of the second one's body, where there is a delta.
    var isNow: String?
    /// What makes the second body of the first.
    var delta: FleeceDelta?
    /// The second one's body.
    var body: ExactBody?
    /// The first one's body.
    var old: ExactBody?
    /// When the second one expires: a number, or `null` if that is taken away.
    var expiration = Cell.none
    var oldExpiration = Cell.none

    package static let columns = [
        Column("collection", "Collection"), Column("id", "Document", isKey: true),
        Column("change", "Change"), Column("deleted", "Deleted"),
        Column("wasDeleted", "Was deleted"), Column("was", "Was"), Column("is", "Is"),
        Column("delta", "Delta"),
        Column("body", "Body"), Column("fleece", "Fleece"), Column("old", "Old body"),
        Column("oldFleece", "Old Fleece"), Column("expiration", "Expires"),
        Column("oldExpiration", "Expired"),
    ]

    /// A cell for each of `columns`.
    package var row: [Cell] {
        [
            .text(collection.description), .both(name, program: .optional(id)),
            .text(kind.rawValue), deleted.map(Cell.bool) ?? .none,
            wasDeleted.map(Cell.bool) ?? .none, .optional(was), .optional(isNow),
            delta.map { .json($0.json) } ?? .none, body.map { .json($0.json) } ?? .none,
            .optional(body?.fleece.map(Hexadecimal.encoded)), old.map { .json($0.json) } ?? .none,
            .optional(old?.fleece.map(Hexadecimal.encoded)), expiration, oldExpiration,
        ]
    }

    /// What people know it by.
    private var name: String {
        guard let id else { return "collection \(collection)" }
        return collection == .default ? id : "\(collection)/\(id)"
    }

    /// A line for people, of a row.
    package static func line(_ row: [Cell]) -> String {
        let name = row[1].forPeople
        let notes = [
            row[3].plain == "true" ? "(deleted)" : "",
            row[4].plain == "true" ? "(was deleted)" : "", row[7].forPeople,
            dates(row[12]),
        ].filter { !$0.isEmpty }
        let rest = notes.map { " \($0)" }.joined()
        switch Kind(rawValue: row[2].plain) {
        case .added: return Colour.green("+ \(name)") + rest
        case .removed: return Colour.red("- \(name)") + rest
        default: return Colour.yellow("~ \(name)") + rest
        }
    }

    private static func dates(_ new: Cell) -> String {
        switch new {
        case .none: ""
        case .json: "does not expire"
        default: "expires \(new.forPeople)"
        }
    }
}
