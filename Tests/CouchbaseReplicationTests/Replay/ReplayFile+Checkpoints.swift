import BLIP
import DataFileCore
import FleeceLite
import ProjectTestSupport
import StoreFormat
import StoreTestSupport

@testable import CouchbaseReplication

extension ReplayFile {
    /// One scenario changes the checkpoints without an event.
    func overwriteCheckpoints(before connection: ReplayConnection) async throws {
        guard scenario.name.hasSuffix("checkpoint_mismatch") else { return }
        let checkpoints = overwrittenCheckpoints(after: connection.time)
        try await store.file.write { transaction in
            for (id, record) in checkpoints {
                try KeyStore(KeyStoreName("peerCheckpoints"))
                    .putRaw(record, for: id, in: transaction)
            }
        }
    }

    /// The checkpoints as they were after a change of which the events do not tell the contents:
    /// those that the passive side answered with next.
    func overwrittenCheckpoints(after time: Double) -> [(id: String, record: RawRecord?)] {
        for connection in scenario.connections {
            for (request, answer) in connection.exchanges(of: .active) {
                guard connection.time(ofAnswer: request.number) > time,
                    case .response(_, let response)? = answer
                else { continue }
                switch request.message.profile {
                case "getCollections": return Self.checkpoints(request.message, response)
                case "getCheckpoint":
                    let version = Array((response.properties["rev"] ?? "").utf8)
                    return [
                        (
                            request.message.properties["client"] ?? "",
                            RawRecord(version: version, body: response.body)
                        )
                    ]
                default: continue
                }
            }
        }
        return []
    }

    private static func checkpoints(
        _ request: BLIPMessage, _ response: BLIPMessage
    ) -> [(id: String, record: RawRecord?)] {
        let ids = try? JSONBody.value(request.body).dictionary?["checkpoint_ids"]?.array
        let values = (try? response.array()) ?? []
        return zip(ids?.compactMap(\.string) ?? [], values).map { id, value in
            guard let members = value.dictionary, !members.isEmpty else { return (id, nil) }
            var rest = MutableFleeceDictionary(members)
            rest["rev"] = nil
            let body = try? JSONBody.document(rest).root.json()
            return (
                id,
                RawRecord(
                    version: Array((members["rev"]?.string ?? "").utf8),
                    body: Array((body ?? "{}").utf8))
            )
        }
    }
}

extension ReplayConnection {
    /// When the answer to a request of the active side came.
    fileprivate func time(ofAnswer number: UInt64) -> Double {
        items.first { item in
            guard item.side == .passive else { return false }
            switch item.content {
            case .response(number, _), .failure(number, _): return true
            default: return false
            }
        }?.time ?? 0
    }
}
