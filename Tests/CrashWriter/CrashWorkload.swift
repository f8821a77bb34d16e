import DocumentStore
import SampleData
import StoreTestSupport

/// What is under way when the process is killed:
/// `CrashWriter PATH upgrade|expiry|compaction|blobs|indexes`.
///
/// Each goes on from the state that the last kill has left, and never ends by itself.
enum CrashWorkload: String {
    /// The first write brings the file to the current schema; then the record `note` of the raw
    /// store `notes` is counted up, while tombstones are moved in the background.
    case upgrade
    /// Transaction n writes the documents `<n>-<part>` and `last`, and lets those of transaction
    /// n - 1 expire, which are purged in the background.
    case expiry
    /// Transaction n writes the documents `<n>-<part>` and `last`, of a page each, and purges those
    /// of transaction n - 2; then the file is compacted.
    case compaction
    /// Transaction n puts a blob, writes the document `<n>-0`, which refers to it, and `last`, and
    /// purges that of transaction n - 2; then the file is compacted, which removes its blob.
    case blobs
    /// Transaction n writes the documents `<n>-<part>` with properties for indexes of all kinds,
    /// and `last`, deletes those of transaction n - 2 and purges their tombstones; each tenth makes
    /// an index again.
    case indexes

    /// How many documents a transaction writes beside `last`.
    static let parts = 20

    func run(on file: DataFile) throws -> Never {
        switch self {
        case .upgrade: try upgrade(file)
        case .expiry: try expiry(file)
        case .compaction: try compaction(file)
        case .blobs: try blobs(file)
        case .indexes: try indexes(file)
        }
    }

    private func upgrade(_ file: DataFile) throws -> Never {
        let notes = KeyStore(KeyStoreName("notes"))
        var number = try file.read { snapshot in
            try notes.exists(in: snapshot)
                ? try notes.getRaw("note", in: snapshot)?.body.first ?? 0 : 0
        }
        CrashWriter.say("ready")
        while true {
            number = number &+ 1
            try file.write { transaction in
                try notes.create(in: transaction)
                try notes.putRaw(RawRecord(body: [number]), for: "note", in: transaction)
            }
            CrashWriter.say("\(number)")
        }
    }

    private func expiry(_ file: DataFile) throws -> Never {
        var number = try last(file)
        CrashWriter.say("ready")
        while true {
            number += 1
            try file.write { transaction in
                for id in Self.ids(number - 1) {
                    try CrashWriter.documents.keyStore.setExpiration(1, of: id, in: transaction)
                }
                try save(number, text: "", in: transaction)
            }
            CrashWriter.say("\(number)")
        }
    }

    private func compaction(_ file: DataFile) throws -> Never {
        let text = String(repeating: "x", count: 4000)
        var number = try last(file)
        CrashWriter.say("ready")
        while true {
            number += 1
            try file.write { transaction in
                for id in Self.ids(number - 2) {
                    try CrashWriter.documents.keyStore.purge(id, in: transaction)
                }
                try save(number, text: text, in: transaction)
            }
            CrashWriter.say("\(number)")
            try file.compact()
        }
    }

    private func blobs(_ file: DataFile) throws -> Never {
        var number = try last(file)
        CrashWriter.say("ready")
        while true {
            number += 1
            let part = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100_000)
            try file.write { transaction in
                let writer = try file.blobs.writer()
                for _ in 0...number % 3 { try writer.write(part) }
                let blob = try writer.finish()
                for id in ["\(number)-0", "last"] {
                    _ = try CrashWriter.documents.save(id, in: transaction) {
                        try $0.writeJSON(
                            #"{"n":\#(number),"blob":{"@type":"blob","digest":"\#(blob.digest)"}}"#)
                    }
                }
                try CrashWriter.documents.keyStore.purge("\(number - 2)-0", in: transaction)
            }
            CrashWriter.say("\(number)")
            try file.compact()
        }
    }

    private func indexes(_ file: DataFile) throws -> Never {
        TestIndexes.registerModel()
        let documents = CrashWriter.documents
        var number = try last(file)
        let specs = TestIndexes.all("")
        try file.write { try TestIndexes.create("", of: documents, in: $0) }
        CrashWriter.say("ready")
        while true {
            number += 1
            try file.write { transaction in
                var random = SeededGenerator(seed: UInt64(number))
                for id in Self.ids(number) {
                    var members = TestIndexes.members(&random)
                    members["n"] = "\(number)"
                    members["text"] = "\"the house of \(id)\""
                    let json = members.map { "\"\($0.key)\":\($0.value)" }
                    _ = try documents.save(id, in: transaction) {
                        try $0.writeJSON("{\(json.joined(separator: ","))}")
                    }
                }
                _ = try documents.save("last", in: transaction) {
                    try $0.writeJSON(#"{"n": \#(number)}"#)
                }
                for id in Self.ids(number - 2) {
                    _ = try documents.delete(id, in: transaction)
                    _ = try documents.purge(id, in: transaction)
                }
                guard number % 10 == 0 else { return }
                let name = specs[Int(number / 10) % specs.count].name
                try documents.rebuildIndex(name, in: transaction)
            }
            CrashWriter.say("\(number)")
        }
    }

    private static func ids(_ number: Int64) -> [String] {
        (0..<parts).map { "\(number)-\($0)" }
    }

    private func last(_ file: DataFile) throws -> Int64 {
        try file.read { try CrashWriter.documents.get("last", in: $0)?["n"]?.int ?? 0 }
    }

    private func save(_ number: Int64, text: String, in transaction: Transaction) throws {
        for id in Self.ids(number) + ["last"] {
            _ = try CrashWriter.documents.save(id, in: transaction) {
                try $0.writeJSON(#"{"n": \#(number), "text": "\#(text)"}"#)
            }
        }
    }
}
