internal import FleeceLite

/// Up to where a collection is replicated with an endpoint.
///
/// It is stored on both sides: in the KeyStore `checkpoints` of the file, as LiteCore does, and at
/// the remote. A side that was restored from a backup has an older one, so that the smaller one is
/// valid. The name of the run that wrote it shows whether it is the file's own.
public struct ReplicationCheckpoint: Sendable, Equatable {
    /// The last sequence of the file that the remote has; 0 for none.
    public var local: Int64
    /// The position in the remote's changes; nil for the beginning.
    public var remote: String?
    /// Up to which sequence of the file the remote may lack documents that it had, since it was
    /// restored from a backup; nil if all are known to be there.
    public var unverified: Int64?
    /// The last sequence of the file when it was written: what the remote had before is not after
    /// it.
    public var held: Int64?
    /// The random name of the run that wrote it.
    public var run: String?
    /// The run whose checkpoint the remote had before.
    public var previousRun: String?

    /// Creates a checkpoint.
    public init(local: Int64 = 0, remote: String? = nil) {
        self.local = local
        self.remote = remote
    }

    /// Reads `{"local": 12, "remote": "34", "run": "a1", "previous": "9f"}`; nil if it is something
    /// else.
    public init?(json: String) {
        guard let document = try? FleeceDocument(json: json),
            let values = document.root.dictionary
        else { return nil }
        local = max(values["local"]?.int ?? 0, 0)
        remote = values["remote"]?.string
        unverified = values["unverified"]?.int
        held = values["held"]?.int
        run = values["run"]?.string
        previousRun = values["previous"]?.string
    }

    /// The checkpoint as JSON.
    public var json: String {
        var text = JSONText()
        text.append("{\"local\":")
        text.append(local)
        let numbers: [(name: StaticString, value: Int64?)] = [
            ("unverified", unverified), ("held", held),
        ]
        for (name, value) in numbers {
            guard let value else { continue }
            text.append(",\"")
            text.append(name)
            text.append("\":")
            text.append(value)
        }
        let members: [(name: StaticString, value: String?)] = [
            ("remote", remote), ("run", run), ("previous", previousRun),
        ]
        for (name, value) in members {
            guard let value else { continue }
            text.append(",\"")
            text.append(name)
            text.append("\":")
            text.append(quoted: value)
        }
        text.append("}")
        return text.string
    }
}
