internal import DocumentStore
internal import StorePlatform

/// A difference between two databases: in a document, or a collection that exists in only one.
///
/// As JSON, it is a line of a patch, with the fields of `columns`.
package struct DocumentChange {
    /// The change from the first database to the second.
    enum Kind: String {
        case added, removed, changed
    }

    let collection: CollectionName
    /// Nil for the collection itself.
    let id: String?
    let kind: Kind
    /// Whether the second database has a tombstone.
    var deleted: Bool?
    /// Whether the first database has a tombstone.
    var wasDeleted: Bool?
    /// The digest of the first body.
    var was: String?
    /// The digest of the second body, set if there is a delta.
    var isNow: String?
    /// The delta from the first body to the second.
    var delta: FleeceDelta?
    /// The second body.
    var body: ExactBody?
    /// The first body.
    var old: ExactBody?
    /// The expiration in the second database: a number, or `null` if it was removed.
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

    /// One cell for each of `columns`.
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

    /// The name shown in console output.
    private var name: String {
        guard let id else { return "collection \(collection)" }
        return collection == .default ? id : "\(collection)/\(id)"
    }

    /// The line of console output for a row.
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
