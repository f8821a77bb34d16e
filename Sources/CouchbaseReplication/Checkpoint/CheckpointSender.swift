internal import BLIP
internal import BLIPWebSocket
internal import FleeceLite
internal import Replication

/// Stores the checkpoint of one collection at the other side, one after the other. Of several that
/// wait only the last one is sent.
actor CheckpointSender {
    private let socket: BLIPSocket
    private let collection: Int
    private let id: String
    /// The ID of the checkpoint's revision at the other side; empty if there is none.
    private var revision: String
    /// The checkpoint that the other side has; nil for none.
    private(set) var stored: String?
    private var waiting: String?
    private var isSending = false
    private var failure: (any Error)?

    init(
        _ socket: BLIPSocket, _ collection: Int, id: String, revision: String, stored: String?
    ) {
        self.socket = socket
        self.collection = collection
        self.id = id
        self.revision = revision
        self.stored = stored
    }

    /// Sends a checkpoint, or the newest one after that which is on its way.
    func send(_ text: String) async throws {
        if let failure { throw failure }
        waiting = text
        guard !isSending else { return }
        isSending = true
        defer { isSending = false }
        do {
            while let text = waiting {
                waiting = nil
                try await store(text)
            }
        } catch {
            failure = error
            throw error
        }
    }

    private func store(_ text: String) async throws {
        do {
            do {
                try await set(text)
            } catch let error as BLIPErrorResponse where error.isConflict {
                // Another replicator of this file has written it.
                revision = try await current()
                try await set(text)
            }
        } catch let error as BLIPErrorResponse {
            throw ReplicationError(error, "the remote does not store the checkpoint")
        }
    }

    private func set(_ text: String) async throws {
        let message = BLIPMessage(
            [
                "Profile": "setCheckpoint", "collection": "\(collection)", "client": id,
                "rev": revision,
            ], body: Array(text.utf8))
        revision = try await socket.request(message).properties["rev"] ?? ""
        stored = text
    }

    private func current() async throws -> String {
        let message = BLIPMessage(
            ["Profile": "getCheckpoint", "collection": "\(collection)", "client": id])
        do {
            return try await socket.request(message).properties["rev"] ?? ""
        } catch let error as BLIPErrorResponse where error.isNotFound {
            return ""
        }
    }
}
