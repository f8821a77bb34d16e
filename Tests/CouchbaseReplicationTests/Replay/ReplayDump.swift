import DataFileCore
import FleeceLite
import ProjectTestSupport
import StorePlatform

/// The documents of a database of LiteCore, a file `….docs.jsonl`.
struct ReplayDump: Sendable {
    /// A document with its current revision.
    struct Item: Sendable {
        let collection: String
        let id: String
        /// The current revision and what it descends from: the vector without `*`, or the
        /// revisions of the tree.
        let history: String
        let isDeleted: Bool
        let isConflicted: Bool
        let body: String
        /// The sequence; 0 if it is not known.
        var sequence: Int64 = 0

        /// For comparisons.
        var text: String {
            "\(collection)/\(id) \(history) \(isDeleted) \(isConflicted) \(body)"
        }

        /// Whether it is the same document, apart from the length of a stored tree.
        func isEqual(_ other: Item) -> Bool {
            let isLong = other.body.hasSuffix(" bytes of JSON)\"")
            let isTree = !history.contains("@")
            return isDeleted == other.isDeleted && isConflicted == other.isConflicted
                && (isLong || body == other.body)
                && (history == other.history
                    || isTree && history.hasPrefix(other.history)
                    || isTree && other.history.hasPrefix(history))
        }
    }

    /// A revision whose body is stored.
    struct Body: Sendable {
        let json: String
        let isDeleted: Bool
    }

    private(set) var items: [Item] = []
    private(set) var collections: [String] = []
    /// By the collection, the ID and the revision.
    private(set) var bodies: [[String]: Body] = [:]

    /// - Parameter peer: the text for the database in versions elsewhere.
    init(_ path: String, peer: String) throws {
        var collection = ""
        for line in try RecordedLines(path).strings {
            guard let values = try FleeceDocument(json: line).root.dictionary else { continue }
            if let name = values["collection"]?.string {
                collection = String(name.replacing("_default.", with: ""))
                collections.append(collection)
            }
            guard let id = values["id"]?.string else { continue }
            let revisions = values["revs"]?.array.map(Array.init) ?? []
            for revision in revisions.compactMap(\.dictionary).reversed() {
                // A long one is only counted.
                guard let body = revision["body"], body.dictionary != nil,
                    let name = revision["rev"]?.string
                else { continue }
                let key = [collection, id, name.replacing("@*", with: "@\(peer)")]
                bodies[key] = Body(
                    json: try body.json(.init(canonical: true)),
                    isDeleted: (revision["flags"]?.int ?? 0) & 1 != 0)
            }
            let flags = values["flags"]?.int ?? 0
            let history = values["globalRev"]?.string ?? ""
            let isVector = history.contains("@")
            items.append(
                Item(
                    collection: collection, id: id,
                    history: isVector ? history : values["history"]?.string ?? "",
                    isDeleted: flags & 1 != 0, isConflicted: flags & 2 != 0,
                    body: try revisions.first?.dictionary?["body"]?
                        .json(.init(canonical: true)) ?? "{}",
                    sequence: values["seq"]?.int ?? 0))
        }
    }
}

/// The checkpoints of a database of LiteCore, of a file `….stores.json`.
struct ReplayCheckpoints: Sendable {
    /// By the ID: the revision, and the JSON without the time.
    private(set) var items: [String: String] = [:]
    /// By the ID.
    private(set) var records: [String: RawRecord] = [:]
    /// The value of `versioning` in the store `info`.
    private(set) var versioning: UInt64?

    init(_ path: String, peer: Bool) throws {
        let text = try RecordedLines(path).strings.joined(separator: "\n")
        let stores = try FleeceDocument(json: text).root.dictionary
        for row in stores?["kv_info"]?.array.map(Array.init) ?? [] {
            guard row.dictionary?["key"]?.string == "versioning",
                let body = row.dictionary?["body"]?.string
            else { continue }
            versioning = UInt64(body.dropFirst("hex:".count), radix: 16)
        }
        let store = peer ? "kv_peer\\Checkpoints" : "kv_checkpoints"
        for row in stores?[store]?.array.map(Array.init) ?? [] {
            guard let key = row.dictionary?["key"]?.string else { continue }
            let (version, body) = (
                row.dictionary?["version"]?.string ?? "", row.dictionary?["body"]?.string ?? ""
            )
            items[key] = Self.text(version, body)
            records[key] = RawRecord(version: Array(version.utf8), body: Array(body.utf8))
        }
    }

    /// A checkpoint for comparisons.
    static func text(_ revision: String, _ json: String) -> String {
        guard let members = try? FleeceDocument(json: json).root.dictionary else { return json }
        var rest = MutableFleeceDictionary(members)
        rest["time"] = nil
        rest["localCompleted"] = nil
        var encoder = FleeceEncoder()
        guard (try? encoder.write(rest)) != nil, let bytes = try? encoder.finish(),
            let text = try? FleeceDocument(trusted: bytes).root.json(.init(canonical: true))
        else { return json }
        return "\(revision) \(text)"
    }
}
