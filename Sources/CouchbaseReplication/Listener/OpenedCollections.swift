internal import BLIP
internal import FleeceLite

/// The body of `getCollections`.
struct OpenedCollections: Sendable {
    /// The names of collections.
    let paths: [String]
    /// The IDs of their checkpoints.
    let checkpoints: [String]

    init(_ message: BLIPMessage) throws {
        guard let members = try? JSONBody.value(message.body).dictionary else {
            throw Self.error("no root")
        }
        guard let ids = members["checkpoint_ids"]?.array, !ids.isEmpty else {
            throw Self.error("checkpoint_ids is missing or empty")
        }
        guard let names = members["collections"]?.array, !names.isEmpty else {
            throw Self.error("collections is missing or empty")
        }
        guard ids.count == names.count else {
            throw Self.error("checkpoint_ids and collections have different lengths")
        }
        paths = names.compactMap(\.string).filter { !$0.isEmpty }
        checkpoints = ids.map { $0.string ?? "" }
        guard paths.count == names.count else { throw Self.error("empty collection path") }
        guard Set(paths).count == paths.count else {
            throw Self.error("a collection is named twice")
        }
    }

    private static func error(_ reason: String) -> BLIPErrorResponse {
        BLIPErrorResponse("BLIP", 400, "Invalid getCollections message: \(reason)")
    }
}
