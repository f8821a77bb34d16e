import BLIP
import FleeceLite

@testable import CouchbaseReplication

/// What a request is about, whatever its number is.
struct ReplayKey: Hashable, Sendable, CustomStringConvertible {
    let profile: String
    var collection = ""
    /// The document, or the digest of a blob.
    var id = ""
    var revision = ""

    static func answer(to number: UInt64) -> ReplayKey {
        ReplayKey(profile: "answer to request", id: "\(number)")
    }

    /// A revision that was sent, and answered.
    static func stored(_ key: ReplayKey) -> ReplayKey {
        ReplayKey(
            profile: "answer to rev", collection: key.collection, id: key.id,
            revision: key.revision)
    }

    var description: String { "\(profile) \(collection) \(id) \(revision)" }

    /// Whether the sender may leave out a repetition.
    var isOnce: Bool { profile == "getAttachment" || profile == "changes" && id.isEmpty }

    /// LiteCore announces the whole vector of some changes.
    private static func first(_ revision: FleeceValue) -> String {
        String((revision.string ?? "").prefix { !",;".contains($0) })
    }

    /// The key of each entry of `changes` and `proposeChanges`, one key of others.
    static func keys(of message: BLIPMessage, _ collections: [String]) -> [ReplayKey] {
        let profile = message.profile ?? ""
        let properties = message.properties
        let collection = collections[safely: properties.int("collection")]
        switch profile {
        case "changes", "proposeChanges":
            let entries = (try? message.array(isResponse: true)) ?? []
            guard !entries.isEmpty else {
                return [ReplayKey(profile: profile, collection: collection)]
            }
            let first = profile == "changes" ? 1 : 0
            return entries.map { entry in
                let parts = entry.array.map(Array.init) ?? []
                return ReplayKey(
                    profile: profile, collection: collection,
                    id: parts.count > first ? parts[first].string ?? "" : "",
                    revision: parts.count > first + 1 ? Self.first(parts[first + 1]) : "")
            }
        case "rev", "norev":
            return [
                ReplayKey(
                    profile: profile, collection: collection, id: properties["id"] ?? "",
                    revision: properties["rev"] ?? "")
            ]
        case "getAttachment":
            return [ReplayKey(profile: profile, id: properties["digest"] ?? "")]
        default:
            return [ReplayKey(profile: profile, collection: collection)]
        }
    }
}
