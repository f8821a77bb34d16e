internal import Crypto
internal import DataFileCore
internal import FleeceLite
internal import Replication
internal import StorePlatform

/// Checkpoints as LiteCore names and writes them, so that a file goes on where Couchbase Lite has
/// stopped, and the other way round. See `docs/replication.md`.
struct CouchbaseCheckpointFormat: CheckpointFormat {
    /// The address, with `/_blipsync`.
    let url: String
    let channels: [String]

    var namesRuns: Bool { false }

    func id(of collection: ReplicatedCollection, in database: ReplicatedDatabase) -> String {
        let isDefault = collection.collection.name == .default
        let bytes = identity(of: collection, database.privateUUID)
        let digest =
            isDefault ? Array(Insecure.SHA1.hash(data: bytes)) : Array(SHA256.hash(data: bytes))
        return "cp-" + Base64.encoded(digest)
    }

    /// The Fleece of what distinguishes the checkpoint from others.
    private func identity(of collection: ReplicatedCollection, _ uuid: [UInt8]) -> [UInt8] {
        var encoder = FleeceEncoder()
        encoder.beginArray()
        uuid.withUnsafeBytes { encoder.writeText($0) }
        let name = collection.collection.name
        if name != .default {
            encoder.writeString(name.name)
            encoder.writeString(name.scope)
            encoder.writeBool(collection.direction != .push)
            encoder.writeBool(collection.direction != .pull)
        }
        encoder.writeString(url)
        let ids = collection.documentIDs ?? []
        if !channels.isEmpty || !ids.isEmpty || !collection.filterName.isEmpty {
            write(channels, &encoder)
            if collection.filterName.isEmpty {
                encoder.writeNull()
            } else {
                encoder.writeString(collection.filterName)
            }
            encoder.writeNull()
            write(ids, &encoder)
        }
        do {
            try encoder.endArray()
            return try encoder.finish()
        } catch {
            preconditionFailure("an array of strings cannot be encoded: \(error)")
        }
    }

    /// An empty array is written as null.
    private func write(_ strings: [String], _ encoder: inout FleeceEncoder) {
        guard !strings.isEmpty else { return encoder.writeNull() }
        encoder.beginArray()
        for string in strings { encoder.writeString(string) }
        try? encoder.endArray()
    }

    func text(of checkpoint: ReplicationCheckpoint) -> String {
        var text = JSONText()
        text.append("{\"time\":")
        text.append(Int64(SystemClock.nanoseconds / 1_000_000_000))
        if checkpoint.local > 0 {
            text.append(",\"local\":")
            text.append(checkpoint.local)
        }
        if let remote = checkpoint.remote, !remote.isEmpty {
            text.append(",\"remote\":")
            text.append(contentsOf: remote)
        }
        if let unverified = checkpoint.unverified {
            text.append(",\"unverified\":")
            text.append(unverified)
        }
        text.append("}")
        return text.string
    }

    func checkpoint(_ text: String) -> ReplicationCheckpoint? {
        guard let values = try? JSONBody.value(Array(text.utf8)).dictionary else {
            return nil
        }
        return Self.checkpoint(values)
    }

    /// Reads the members of a checkpoint.
    static func checkpoint(_ values: FleeceDictionary) -> ReplicationCheckpoint {
        let local = completed(values["localCompleted"]) ?? values["local"]?.int ?? 0
        var checkpoint = ReplicationCheckpoint(
            local: max(local, 0), remote: values["remote"].flatMap { try? JSONBody.text(of: $0) })
        checkpoint.unverified = values["unverified"]?.int
        return checkpoint
    }

    /// The last sequence before which all are done, of pairs of a first sequence and a number.
    private static func completed(_ value: FleeceValue?) -> Int64? {
        guard let pairs = value?.array, pairs.count >= 2, pairs[0].int == 0,
            let count = pairs[1].int, count > 0
        else { return value == nil ? nil : 0 }
        return count - 1
    }
}
