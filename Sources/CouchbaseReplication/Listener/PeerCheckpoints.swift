internal import BLIP
internal import DataFileCore
internal import FleeceLite
internal import StoreFormat

/// The checkpoints that clients store in a file.
struct PeerCheckpoints: Sendable {
    private static let store = KeyStore(KeyStoreName("peerCheckpoints"))
    /// The bytes of a checkpoint.
    private static let maximumLength = 1 << 20

    let file: DataFile

    private func record(_ id: String) async throws -> RawRecord? {
        try await file.read { try Self.store.getRaw(id, in: $0) }
    }

    /// The element of the response to `getCollections`: the checkpoint with its revision.
    func member(_ id: String) async throws -> String {
        guard let record = try await record(id),
            let members = try? JSONBody.value(record.body).dictionary
        else { return "{}" }
        var all = MutableFleeceDictionary(members)
        all["rev"] = .string(String(decoding: record.version, as: UTF8.self))
        return try JSONBody.document(all).root.json()
    }

    /// Answers `getCheckpoint`.
    func get(_ message: BLIPMessage) async throws -> BLIPMessage {
        guard let record = try await record(try Self.id(message)) else {
            throw BLIPErrorResponse("HTTP", 404)
        }
        return BLIPMessage(
            ["rev": String(decoding: record.version, as: UTF8.self)], body: record.body)
    }

    /// Answers `setCheckpoint`, which replaces the revision that it names.
    func set(_ message: BLIPMessage) async throws -> BLIPMessage {
        let id = try Self.id(message)
        let (replaced, body) = (message.properties["rev"] ?? "", message.body)
        guard body.count <= Self.maximumLength, (try? JSONBody.value(body).dictionary) != nil
        else { throw BLIPErrorResponse("BLIP", 400, "the checkpoint is not an object of JSON") }
        let revision = try await file.write { transaction -> String? in
            let old = try Self.store.getRaw(id, in: transaction)
            let current = old.map { String(decoding: $0.version, as: UTF8.self) } ?? ""
            guard current == replaced else { return nil }
            let number = current.prefix { $0 != "-" }
            let revision = "\((Int64(number) ?? 0) &+ 1)-cc"
            try Self.store.putRaw(
                RawRecord(version: Array(revision.utf8), body: body), for: id, in: transaction)
            return revision
        }
        guard let revision else { throw BLIPErrorResponse("HTTP", 409, "revision ID mismatch") }
        return BLIPMessage(["rev": revision])
    }

    private static func id(_ message: BLIPMessage) throws -> String {
        guard let id = message.properties["client"], !id.isEmpty else {
            throw BLIPErrorResponse("BLIP", 400, "missing checkpoint ID")
        }
        return id
    }
}
