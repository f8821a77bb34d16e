import DocumentStore
import SQLCore
import StoreTestSupport
import Testing

/// Documents of a real database that are changed, and the expected contents of the file afterwards.
struct GoldenEdit {
    /// A new property, which sorts after all others in canonical JSON.
    static let property = "zzEdited"

    let golden: GoldenDatabase
    let path: String
    /// The documents to change, by collection and id, in the order of the changes.
    private(set) var ids: [String] = []
    /// The contents of the file before the changes.
    let before: FileContents
    let old: [String: StoredRow]

    /// - Parameters:
    ///   - path: the file; nil to copy the golden one.
    ///   - every: one of so many documents is chosen.
    init(
        _ golden: GoldenDatabase, in directory: TemporaryDirectory, path: String? = nil,
        every: Int = 1
    ) throws {
        self.golden = golden
        self.path = try path ?? golden.writableCopy(to: directory)
        before = try FileContents(self.path)
        old = before.documents()
        ids = old.keys.sorted().enumerated().filter { $0.offset % every == 0 }.map(\.element)
    }

    /// The collection and the key of a document id.
    static func parts(_ id: String) throws -> (DocumentCollection, String) {
        let end = try #require(id.firstIndex(of: "/"))
        let name = try CollectionName(String(id[..<end]))
        return (DocumentCollection(name), String(id[id.index(after: end)...]))
    }

    /// Adds the property to some documents, in one transaction, and closes the file.
    func run(_ ids: [String]? = nil) throws {
        let file = try GoldenDatabase.open(path)
        defer { file.close() }
        try file.write { transaction in
            for id in ids ?? self.ids {
                let (collection, key) = try Self.parts(id)
                let document = try collection.get(key, includesDeleted: true, in: transaction)
                var copy = try #require(document, "\(id)").mutableCopy()
                copy[Self.property] = 1
                let saved = try collection.save(&copy, in: transaction).saved
                #expect(saved != nil, "\(id)")
            }
        }
    }

    /// The expected properties of a changed document.
    func expectedJSON(_ row: StoredRow) throws -> String {
        let old = try before.canonicalJSON(before.body(row))
        return old.dropLast() + (old == "{}" ? "" : ",") + #""\#(Self.property)":1}"#
    }

    /// The expected sequences of the changes, which are consecutive in each collection.
    func expectedSequences(_ ids: [String]) -> [String: Int64] {
        var last: [String: Int64] = [:]
        for row in old.values { last[row.collection] = lastSequence(row.collection) }
        var found: [String: Int64] = [:]
        for id in ids {
            let collection = old[id]?.collection ?? ""
            last[collection, default: 0] += 1
            found[id] = last[collection]
        }
        return found
    }

    private func lastSequence(_ collection: String) -> Int64 {
        let rows = old.values.filter { $0.collection == collection }.map(\.sequence)
        let counted = before.tables["kvmeta"]?[Self.storeName(collection)]?["lastSeq"]?.longValue
        return max(rows.max() ?? 0, counted ?? 0)
    }

    static func storeName(_ collection: String) -> String {
        collection == "_default" ? "default" : "." + collection
    }
}

extension GoldenEdit {
    /// Checks everything except the rows of the changed documents.
    ///
    /// - Parameter oldVersioning: the file's `versioning` before, if it is expected to change.
    func checkTheRest(_ after: FileContents, _ changed: [String], versioning: Versioning) throws {
        let keys = Set(changed.compactMap { old[$0]?.key })
        #expect(after.without(keys) == before.without(keys))
        #expect(after.schema == before.schema)

        var meta = before.tables["kvmeta"]
        for (id, sequence) in expectedSequences(changed) {
            let name = Self.storeName(old[id]?.collection ?? "")
            let last = meta?[name]?["lastSeq"]?.longValue ?? 0
            meta?[name]?["lastSeq"] = .long(max(last, sequence))
        }
        #expect(after.tables["kvmeta"] == meta)

        var (left, right) = (after.tables["kv_info"], before.tables["kv_info"])
        let number = left?[InfoKey.versioning]?["body"]
        #expect(number == .blob(BigEndian.bytes(versioning.rawValue)))
        let clock = left?[InfoKey.clockBound]
        #expect((clock != nil) == (versioning == .versionVectors && !changed.isEmpty))
        for key in [InfoKey.versioning, InfoKey.clockBound, InfoKey.sharedKeys] {
            left?[key] = nil
            right?[key] = nil
        }
        #expect(left == right)
        #expect(after.sharedKeys.keys == before.sharedKeys.keys + [Self.property])
    }

    /// Checks the parts of a changed row that trees and vectors have in common.
    func checkRow(_ old: StoredRow, _ new: StoredRow, _ sequence: Int64?, _ after: FileContents)
        throws
    {
        #expect(try after.canonicalJSON(new.bodyColumn) == expectedJSON(old), "\(old.id)")
        #expect(new.sequence == sequence, "\(old.id)")
        #expect(!new.isInTombstoneTable, "\(old.id)")
        #expect(new.values["expiration"] == old.values["expiration"], "\(old.id)")
        // A full-text index refers to rows by rowid.
        if !old.isInTombstoneTable { #expect(new.values["rowid"] == old.values["rowid"]) }
        let kept = DocumentFlags([.conflicted, .hasAttachments]).rawValue
        #expect(new.flags == old.flags & Int64(kept), "\(old.id)")
    }

    /// Checks a changed row of a file with trees.
    func checkTree(_ old: StoredRow, _ new: StoredRow, _ after: FileContents) throws {
        let id = try RevisionID.child(
            of: RevisionID(binary: old.version), isDeleted: false,
            body: FleeceDocument(json: expectedJSON(old)).root.dictionary)
        #expect(new.version == id.binary, "\(old.id)")
        let (before, tree) = (try self.before.tree(old), try after.tree(new))
        #expect(tree.problems(rowSequence: new.sequence) == [], "\(old.id)")
        #expect(tree.storedSequences.first == 0)
        #expect(tree.storedSequences.dropFirst().allSatisfy { $0 > 0 }, "\(old.id)")
        let isWithBlob = old.key == "with-blob"
        let expected = before.edited(
            to: id.binary, sequence: new.sequence,
            flags: isWithBlob ? PlainTree.attachments : 0, body: new.bodyColumn)
        #expect(tree.named == expected, "\(old.id)")
        #expect(tree.remoteText == before.remoteText, "\(old.id)")
        #expect(tree.rejectedText == before.rejectedText, "\(old.id)")
    }

    /// Checks a changed row of a file with version vectors.
    func checkVector(_ old: StoredRow, _ new: StoredRow, _ after: FileContents) throws {
        let (left, right) = (
            try VersionVector(binary: new.version), try VersionVector(binary: old.version)
        )
        #expect(left.compare(to: right) == .newer, "\(old.id)")
        #expect(left.versions.map(\.source) == right.versions.map(\.source), "\(old.id)")
        #expect(left.first.time > right.latestTime, "\(old.id)")
        #expect(try after.remoteText(new) == before.remoteText(old), "\(old.id)")
    }
}

extension FileContents {
    /// The remote revisions of a document in a file with version vectors.
    func remotes(_ row: StoredRow) throws -> RemoteRevisions {
        guard let extra = row.extra else { return RemoteRevisions() }
        let body = try row.bodyColumn.map {
            try FleeceDocument(validating: $0, sharedKeys: sharedKeys)
        }
        return try RemoteRevisions(extra: extra, body: body, sharedKeys: sharedKeys)
    }

    /// The remote revisions as a line for each remote, and a line for the last tree revision.
    func remoteText(_ row: StoredRow) throws -> [String] {
        let remotes = try remotes(row)
        let legacy = remotes.legacyRevisionID.map { ["was \($0)"] } ?? []
        return try remotes.all.map { remote in
            let json = try remote.properties.map { try Self.canonicalJSON($0.value) } ?? "nothing"
            let id = try RevisionID(binary: remote.revisionID.binary)
            let text = if case .vector(let vector) = id { vector.text } else { "\(id)" }
            return "\(remote.remote): \(text) \(remote.flags.names) \(json)"
        } + legacy
    }
}
