import BLIP
import DataFileCore
import FleeceLite
import Foundation
import ProjectTestSupport
import Replication
import StoreFormat
import StorePlatform
import StoreTestSupport

@testable import CouchbaseReplication

/// A recorded scenario: what two processes of LiteCore sent, did and had.
struct ReplayScenario: Sendable {
    typealias Side = ReplicationRecording.Side

    /// What identifies a database.
    struct Identity: Sendable {
        let publicUUID: [UInt8]
        let privateUUID: [UInt8]
        /// The text for it in versions.
        var peer: String { Base64.encoded(publicUUID).filter { $0 != "=" } }
    }

    let name: String
    let connections: [ReplayConnection]
    let events: [ReplayEvent]
    private let identities: [Side: Identity]
    private let dumps: [ReplayDump]
    /// The revisions with their histories, by the collection, the ID and the first revision.
    private let histories: [[String]: String]
    private let sent: [[String]: ReplayDump.Body]
    /// The blobs that were sent.
    let blobs: [String: [UInt8]]

    private static func directory(_ name: String) -> String {
        GoldenFiles.file("replication/\(name)")
    }

    init(_ name: String) throws {
        self.name = name
        let directory = Self.directory(name)
        connections = try ReplicationRecording(name).connections.map { try ReplayConnection($0) }
        events = try RecordedLines("\(directory)/events.txt").strings.compactMap(ReplayEvent.init)
        var identities: [Side: Identity] = [:]
        for event in events where event.kind == .opened && identities[event.side] == nil {
            guard let id = event["publicUUID"].flatMap({ Hexadecimal.decoded($0.utf8) }),
                let secret = event["privateUUID"].flatMap({ Hexadecimal.decoded($0.utf8) })
            else { continue }
            identities[event.side] = Identity(publicUUID: id, privateUUID: secret)
        }
        self.identities = identities
        var dumps: [ReplayDump] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: directory).sorted() {
            guard file.contains(".docs.jsonl") else { continue }
            let side: Side = file.contains(".active.") ? .active : .passive
            let path = "\(directory)/\(file.replacing(".gz", with: ""))"
            dumps.append(try ReplayDump(path, peer: identities[side]?.peer ?? "?"))
        }
        self.dumps = dumps
        var contents = ReplayContents()
        for dump in dumps { contents.add(dump) }
        for connection in connections { try contents.add(connection) }
        if name.contains("blob") {
            for path in ["after.active", "after.passive"] {
                try contents.addBlobs("\(directory)/\(path).cblite2.tar.xz")
            }
        }
        (histories, sent, blobs) = (contents.histories, contents.bodies, contents.blobs)
    }

    func identity(_ side: Side) -> Identity {
        identities[side] ?? Identity(publicUUID: Array(1...16), privateUUID: Array(1...16))
    }

    /// The database of a side at the end.
    func end(_ side: Side) throws -> ReplayDump {
        try ReplayDump(
            "\(Self.directory(name))/after.\(side.rawValue).docs.jsonl",
            peer: identity(side).peer)
    }

    /// The database of a side before the first connection, if that was dumped.
    func beginning(_ side: Side) throws -> ReplayDump {
        try ReplayDump(
            "\(Self.directory(name))/before.\(side.rawValue).docs.jsonl",
            peer: identity(side).peer)
    }

    func checkpoints(_ side: Side, _ state: String = "after") throws -> ReplayCheckpoints {
        try ReplayCheckpoints(
            "\(Self.directory(name))/\(state).\(side.rawValue).stores.json",
            peer: side == .passive)
    }

    /// The archive of the database of a side, if it was written before the first connection.
    func start(_ side: Side) -> (path: String, time: Double)? {
        let path = "\(Self.directory(name))/before.\(side.rawValue).cblite2.tar.xz"
        let first = events.first { $0.kind == .http }?.time ?? .infinity
        guard FileManager.default.fileExists(atPath: path),
            let dumped = events.first(where: { $0.kind == .dumped && $0.side == side }),
            dumped.time < first
        else { return nil }
        return (path, dumped.time)
    }

    /// The name of a revision everywhere.
    func revision(_ event: ReplayEvent) -> String { name(event.revision, event.side) }

    /// The name everywhere of a revision that a side calls so.
    func name(_ revision: String, _ side: Side) -> String {
        revision.replacing("@*", with: "@\(identity(side).peer)")
    }

    func body(_ collection: String, _ id: String, _ revision: String) -> ReplayDump.Body? {
        let key = [collection, id, revision]
        return dumps.compactMap { $0.bodies[key] }.first ?? sent[key]
    }

    func history(_ collection: String, _ id: String, _ revision: String) -> String? {
        histories[[collection, id, revision]]
    }

    /// The collections of a document whose collection an event does not tell.
    func collection(of id: String) -> String {
        dumps.flatMap(\.items).first { $0.id == id && $0.collection != "_default" }?.collection
            ?? "_default"
    }
}

/// What the messages and the dumps of a scenario contain.
private struct ReplayContents {
    var histories: [[String]: String] = [:]
    var bodies: [[String]: ReplayDump.Body] = [:]
    var blobs: [String: [UInt8]] = [:]

    /// Adds the blobs of an archived database.
    mutating func addBlobs(_ archive: String) throws {
        let directory = try TemporaryDirectory()
        _ = try ChildProcess.run(["tar", "-xJf", archive, "-C", directory.path])
        let found = try ChildProcess.run(["find", directory.path, "-name", "*.blob"]).output
        for path in found.split(separator: "\n") {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: String(path))))
            var hash = SHA1()
            hash.add(bytes)
            blobs[try BlobDigest(hash).description] = bytes
        }
    }

    mutating func add(_ dump: ReplayDump) {
        for item in dump.items {
            let first = item.history.prefix { !",;".contains($0) }
            histories[[item.collection, item.id, String(first)]] = item.history
        }
    }

    mutating func add(_ connection: ReplayConnection) throws {
        let collections = connection.collections
        for side in [ReplayConnection.Side.active, .passive] {
            for (request, answer) in connection.exchanges(of: side) {
                let message = request.message
                if message.profile == "getAttachment", case .response(_, let blob)? = answer {
                    blobs[message.properties["digest"] ?? ""] = blob.body
                }
                guard message.profile == "rev", let revision = try? ReceivedRevision(request)
                else { continue }
                let key = [
                    collections[safely: message.properties.int("collection")],
                    revision.document.id, revision.document.revision,
                ]
                if histories[key] == nil { histories[key] = revision.document.history }
                guard revision.deltaSource == nil, let json = try? revision.document.decoded()
                else { continue }
                bodies[key] = ReplayDump.Body(
                    json: try json.root.json(.init(canonical: true)),
                    isDeleted: revision.document.isDeleted)
            }
        }
    }
}

extension ReplayConnection {
    /// The paths of the collections, as getCollections numbers them.
    var collections: [String] {
        for (request, _) in exchanges(of: .active)
        where request.message.profile == "getCollections" {
            let members = try? JSONBody.value(request.message.body).dictionary
            if let names = members?["collections"]?.array { return names.compactMap(\.string) }
        }
        return ["_default"]
    }
}

extension [String] {
    subscript(safely index: Int64?) -> String {
        let index = Int(clamping: index ?? 0)
        return indices.contains(index) ? self[index] : "_default"
    }
}
