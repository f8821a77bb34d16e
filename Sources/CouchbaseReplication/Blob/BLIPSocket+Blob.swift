internal import BLIP
internal import BLIPWebSocket
internal import DataFileCore
internal import Replication

extension BLIPSocket {
    /// Gets a blob of a document from the other side; false if it does not have it.
    func receive(
        _ blob: Blob, of id: String, collection: Int, _ use: ([UInt8]) async throws -> Void
    ) async throws -> Bool {
        var properties: BLIPProperties = [
            "Profile": "getAttachment", "collection": "\(collection)",
            "digest": blob.digest.description, "docID": id,
        ]
        if blob.isCompressible { properties["compress"] = "true" }
        do {
            try await receive(BLIPMessage(properties), use)
            return true
        } catch is BLIPErrorResponse {
            return false
        } catch let error as WebSocketError {
            throw ReplicationError(error)
        }
    }
}
