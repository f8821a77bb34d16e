import DataFileCore
import FleeceLite
import ProjectTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport

/// A file that begins as a recorded database did, and is changed by the recorded edits.
struct ReplayFile: Sendable {
    let store: TemporaryStore
    let scenario: ReplayScenario
    let side: ReplayScenario.Side
    /// The edits after the start.
    let edits: [ReplayEvent]

    init(_ scenario: ReplayScenario, _ side: ReplayScenario.Side) throws {
        self.scenario = scenario
        self.side = side
        let start = scenario.start(side)
        edits = scenario.events.filter {
            $0.side == side && $0.time > start?.time ?? 0
                && [.put, .bulk, .purged, .rawput, .resolved].contains($0.kind)
        }
        var options = DataFileOptions(access: .create)
        options.versioning =
            try scenario.checkpoints(side).versioning.flatMap(Versioning.init) ?? .treesInExtra
        let directory = try TemporaryDirectory()
        var source = directory("replay.cblite2")
        if let start {
            let result = try ChildProcess.run(["tar", "-xJf", start.path, "-C", directory.path])
            guard result.status == 0 else { throw Failure(text: result.output) }
            source = try Self.unpacked(in: directory)
        } else if scenario.isUpgraded {
            options.versioning = .treesInExtra
            try Self.create(source, scenario.identity(side), options)
            try Self.writeBeforeUpgrade(source, scenario, side)
        } else {
            try Self.create(source, scenario.identity(side), options)
        }
        store = try TemporaryStore(copyOf: source, options: options)
        let names = try scenario.end(side).collections
        try store.file.write { transaction in
            for name in names where name != "_default" {
                try DocumentCollection(CollectionName(name)).create(in: transaction)
            }
        }
    }

    struct Failure: Error {
        let text: String
    }

    private static func unpacked(in directory: TemporaryDirectory) throws -> String {
        let found = try ChildProcess.run(["find", directory.path, "-name", "db.sqlite3"])
        guard let path = found.output.split(separator: "\n").first else {
            throw Failure(text: "no database is in the archive")
        }
        return String(path.dropLast("/db.sqlite3".count))
    }

    /// A new file with the IDs of the recorded one.
    private static func create(
        _ path: String, _ identity: ReplayScenario.Identity, _ options: DataFileOptions
    ) throws {
        let file = try DataFile(path: path, options: options)
        file.close()
        let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
        let ids = [("publicUUID", identity.publicUUID), ("privateUUID", identity.privateUUID)]
        for (key, id) in ids {
            try context.exec(
                sql: "UPDATE kv_info SET body = ? WHERE key = ?",
                parameters: [.blob(.init(id)), .text(key)])
        }
    }
}

// Edits.
extension ReplayFile {
    /// Makes edits under the recorded revisions, in one transaction.
    func apply(_ events: [ReplayEvent]) async throws {
        let peer = try VersionVector.PeerID(scenario.identity(side).publicUUID)
        for blob in scenario.blobs.values { _ = try store.file.blobs.put(blob) }
        let scenario = scenario
        var overwrites: [Double: [(id: String, record: RawRecord?)]] = [:]
        for event in events where event.kind == .rawput {
            overwrites[event.time] = overwrittenCheckpoints(after: event.time)
        }
        let overwritten = overwrites
        let bulk = try bulk()
        try await store.file.write { transaction in
            for event in events {
                let name = event["coll"] ?? scenario.collection(of: event.id)
                let collection = DocumentCollection(try CollectionName(name))
                if event.kind == .purged {
                    _ = try collection.purge(purgedID, in: transaction)
                    continue
                }
                for (id, record) in overwritten[event.time] ?? [] {
                    try KeyStore(KeyStoreName("peerCheckpoints"))
                        .putRaw(record, for: id, in: transaction)
                }
                if event.kind == .resolved {
                    try resolve(event, collection, peer, in: transaction)
                }
                if event.kind == .bulk { try Self.write(bulk, peer, in: transaction) }
                guard event.kind == .put else { continue }
                let revision = scenario.revision(event)
                let body = scenario.body(name, event.id, revision)
                let old = try collection.history(of: event.id, in: transaction)
                let history = try Self.history(
                    revision, scenario.history(name, event.id, revision), after: old, peer)
                // What no message and no dump has, is an intermediate revision.
                _ = try collection.insert(
                    event.id, history: history, isDeleted: body?.isDeleted ?? false,
                    in: transaction
                ) { _ = try $0.writeJSON(body?.json ?? "{}") }
            }
        }
    }

    /// The document that the scenarios purge; the events do not tell it.
    private var purgedID: String { scenario.name.hasSuffix("probe_pull") ? "doc2" : "doc1" }

    /// The documents that were written at once, which only the dump tells.
    private func bulk() throws -> [ReplayDump.Item] {
        guard edits.contains(where: { $0.kind == .bulk }) else { return [] }
        let names = Set(edits.map(\.id))
        return try scenario.end(side).items.filter { !names.contains($0.id) }
            .sorted { $0.sequence < $1.sequence }
    }

    private static func write(
        _ items: [ReplayDump.Item], _ peer: VersionVector.PeerID, in transaction: Transaction
    ) throws {
        for item in items {
            let revision: RevisionID =
                item.history.contains("@")
                ? .vector(try VersionVector(text: item.history).localized(local: peer))
                : try RevisionID(item.history)
            _ = try DocumentCollection(CollectionName(item.collection)).insert(
                item.id, history: [revision], in: transaction
            ) { _ = try $0.writeJSON(item.body) }
        }
    }

    static func history(
        _ revision: String, _ known: String?, after old: DocumentHistory?,
        _ peer: VersionVector.PeerID
    ) throws -> [RevisionID] {
        guard revision.contains("@") else {
            let ancestors = try old?.tree.map { tree in
                try tree.history(of: 0).map { try RevisionID(binary: tree.revisions[$0].id) }
            }
            return [try RevisionID(revision)] + (ancestors ?? [])
        }
        if let known, known.contains("@") {
            // A message also has the revision that the document had before an upgrade.
            let versions = known.split(separator: "; ").filter { $0.contains("@") }
            let vector = try VersionVector(text: versions.joined(separator: "; "))
            return [.vector(vector.localized(local: peer))]
                + [old?.tree == nil ? nil : old?.revisionID].compactMap(\.self)
        }
        var rest: [String] = []
        if case .vector(let vector)? = old?.revisionID {
            let source = revision.split(separator: "@")[1]
            let separators: Set<Character> = [",", ";", " "]
            rest = vector.globalized(local: peer).text.split { separators.contains($0) }
                .map(String.init).filter { !$0.hasSuffix("@\(source)") }
        }
        let text = ([revision] + [rest.joined(separator: ", ")]).filter { !$0.isEmpty }
            .joined(separator: "; ")
        return [.vector(try VersionVector(text: text).localized(local: peer))]
    }
}

// Comparison.
extension ReplayFile {
    /// The documents as a dump of LiteCore has them.
    func items() async throws -> [ReplayDump.Item] {
        let peer = try VersionVector.PeerID(scenario.identity(side).publicUUID)
        let names = try scenario.end(side).collections
        return try await store.file.read { snapshot in
            try names.flatMap { name in
                try Self.items(DocumentCollection(CollectionName(name)), name, peer, in: snapshot)
            }
        }
    }

    private static func items(
        _ collection: DocumentCollection, _ name: String, _ peer: VersionVector.PeerID,
        in snapshot: Snapshot
    ) throws -> [ReplayDump.Item] {
        guard try collection.exists(in: snapshot) else { return [] }
        var options = RecordEnumerator.Options()
        options.includesDeleted = true
        let records = try collection.keyStore.records(options, in: snapshot)
        var items: [ReplayDump.Item] = []
        while let record = try records.next() {
            guard let history = try collection.history(of: record.key, in: snapshot) else {
                continue
            }
            var text = history.revisionID?.description ?? ""
            if case .vector(let vector)? = history.revisionID {
                // LiteCore leaves out what the document was before an upgrade.
                text = (vector.withoutLegacy ?? vector).globalized(local: peer).text
            } else if let tree = history.tree {
                let ids = try tree.history(of: 0).map {
                    try RevisionID(binary: tree.revisions[$0].id).description
                }
                text = ids.joined(separator: ",")
            }
            let current = try history.revisionList().first { $0.isCurrent }
            items.append(
                ReplayDump.Item(
                    collection: name, id: record.key, history: text,
                    isDeleted: record.flags.contains(.deleted),
                    isConflicted: record.flags.contains(.conflicted),
                    body: try current?.properties?.value.json(.init(canonical: true)) ?? "{}"))
        }
        return items
    }

    /// The checkpoints as a dump of LiteCore has them.
    func checkpoints() async throws -> [String: String] {
        let store = KeyStore(
            KeyStoreName(side == .passive ? "peerCheckpoints" : "checkpoints"))
        let keys = try scenario.checkpoints(side).items.keys
        return try await self.store.file.read { snapshot in
            var items: [String: String] = [:]
            for key in keys {
                guard try store.exists(in: snapshot),
                    let record = try store.getRaw(key, in: snapshot)
                else { continue }
                items[key] = ReplayCheckpoints.text(
                    String(decoding: record.version, as: UTF8.self),
                    String(decoding: record.body, as: UTF8.self))
            }
            return items
        }
    }
}
