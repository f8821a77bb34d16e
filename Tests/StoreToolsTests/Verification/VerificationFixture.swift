import DataFileCore
import EngineTestSupport
import FleeceLite
import Foundation
import QueryFunctions
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
import VectorIndex
@testable import StoreTools

/// A finding that a test expects.
struct Found: Hashable, CustomStringConvertible {
    let kind: VerificationKind
    var store: String?
    var key: String?
    var index: String?

    init(_ kind: VerificationKind, _ store: String? = nil, key: String? = nil, index: String? = nil)
    {
        self.kind = kind
        self.store = store
        self.key = key
        self.index = index
    }

    init(_ finding: VerificationFinding) {
        self.init(
            finding.kind, finding.store?.rawName, key: finding.key, index: finding.index)
    }

    var description: String {
        "\(kind)(\(store ?? "-"), \(key ?? "-"), \(index ?? "-"))"
    }
}

extension VerificationReport {
    /// The findings in the form that tests expect, in order.
    var found: [Found] { findings.map { Found($0) } }
}

/// An intact database, for tests that damage it.
///
/// The default collection has the documents `d1` to `d6`, of which `d5` refers to a blob and `d6`
/// expires, the conflict `ada` and the tombstone `gone`; the collection `b` has `b1` to `b3` and
/// the tombstone `b4`.
struct VerificationFixture: Sendable {
    let engine: EngineFixture
    let people = DocumentCollection(.default)
    let others = DocumentCollection(.b)
    static let photo = Array("a photo".utf8)

    init(_ versioning: Versioning = .versionVectors, indexes: Bool = false) throws {
        engine = try EngineFixture()
        try FileManager.default.removeItem(atPath: engine.path)
        let file = try engine.open(.create) { $0.versioning = versioning }
        defer { file.close() }
        let photo = try file.blobs.put(Self.photo, contentType: "image/png")
        try file.write { transaction in
            try others.create(in: transaction)
            for number in 1...5 {
                _ = try people.save("d\(number)", in: transaction) {
                    try write(number, number == 5 ? photo : nil, to: &$0)
                }
            }
            for id in ["d6", "gone", "ada"] { try save(id, in: transaction) }
            for number in 1...4 { try save("b\(number)", others, in: transaction) }
            _ = try people.delete("gone", in: transaction)
            _ = try others.delete("b4", in: transaction)
            _ = try people.keyStore.setExpiration(
                4_000_000_000_000, of: "d6", in: transaction)
            try conflict(versioning, in: transaction)
        }
        if indexes { try makeIndexes(file) }
    }

    private func write(_ number: Int, _ photo: Blob?, to encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.writeKey("n")
        encoder.writeInt(number)
        try encoder.writeKey("text")
        encoder.writeString("running dogs \(number)")
        try encoder.writeKey("tags")
        encoder.beginArray()
        for tag in 0..<number { encoder.writeString("tag\(tag)") }
        try encoder.endArray()
        try encoder.writeKey("groups")
        encoder.beginArray()
        encoder.beginDictionary()
        try encoder.writeKey("names")
        encoder.beginArray()
        encoder.writeString("group \(number)")
        try encoder.endArray()
        try encoder.endDictionary()
        try encoder.endArray()
        if let photo {
            try encoder.writeKey("photo")
            try encoder.write(photo)
        }
        try encoder.endDictionary()
    }

    private func save(
        _ id: String, _ collection: DocumentCollection? = nil, in transaction: Transaction
    ) throws {
        _ = try (collection ?? people).save(id, in: transaction) {
            try $0.writeJSON(#"{"n":1,"text":"a dog"}"#)
        }
    }

    /// A revision of a remote beside the local one.
    private func conflict(_ versioning: Versioning, in transaction: Transaction) throws {
        let id =
            versioning == .versionVectors
            ? try RevisionID("18e9f0b79eed0000@AAAAAAAAAAAAAAAAAAAAEA")
            : RevisionID.digest(generation: 1, digest: Array(repeating: 1, count: 20))
        _ = try people.insert("ada", history: [id], remote: 1, in: transaction) {
            try $0.writeJSON(#"{"n":7}"#)
        }
    }

    private func makeIndexes(_ file: DataFile) throws {
        IndexSample.registerModel()
        try file.write { transaction in
            for spec: IndexSpec in [
                .value("byN", on: "n, text", where: "n IS NOT MISSING"),
                .fullText("words", on: "text", .init(language: "en")),
                .array("byTag", path: "tags"),
                .array("byName", path: "groups[].names"),
                .predictive("byEcho", on: "PREDICTION('index_echo', {'n': n}, .n)"),
                .vector("near", on: "[n, 1]", .init(dimensions: 2)),
            ] {
                try people.createIndex(spec, in: transaction)
            }
        }
    }
}

// Damaging and reading.
extension VerificationFixture {
    /// Changes the file on a connection with all functions and permissions.
    func spoil(_ sql: String, _ parameters: [SQLValue] = []) throws {
        let context = try engine.sqlite()
        let state = try context.selectValue(
            sql: "SELECT body FROM kv_info WHERE key='SharedKeys'")?.bytesValue
        try SQLFunctions.register(
            in: context, sharedKeys: state.map { try SharedKeys(state: $0) } ?? SharedKeys())
        try context.exec(sql: sql, parameters: parameters)
        try context.close()
    }

    /// A column of a row.
    func column(_ column: String, of key: String, _ table: String = "kv_default") throws -> [UInt8]
    {
        let value = try engine.sqlite().selectValue(
            sql: "SELECT \(column) FROM \(table.sqlName) WHERE key=?", parameters: [.text(key)])
        return try #require(value?.bytesValue)
    }

    /// A body with the file's shared keys.
    func body(_ json: String) throws -> [UInt8] {
        let state = try column("body", of: "SharedKeys", "kv_info")
        var encoder = FleeceEncoder()
        encoder.sharedKeys = try SharedKeys(state: state)
        try encoder.writeJSON(json)
        return try encoder.finish()
    }

    func verify(
        _ options: VerificationOptions = VerificationOptions(), now: Int64? = nil
    ) throws -> VerificationReport {
        let file = try engine.open(.readOnly) { if let now { $0.now = { now } } }
        defer { file.close() }
        return try file.verify(options)
    }

    /// Verifies and fixes. Returns the findings of a second verification.
    func fix(sourceLocation: SourceLocation = #_sourceLocation) throws -> [Found] {
        let file = try engine.open()
        defer { file.close() }
        let report = try file.verify()
        let repair = try file.fix(report.findings)
        #expect(repair.failed == [], sourceLocation: sourceLocation)
        #expect(!repair.done.isEmpty, sourceLocation: sourceLocation)
        return try file.verify().found
    }

    /// All documents of a collection, tombstones included, as key, flags and body.
    func documents() throws -> Set<String> {
        var rows: Set<String> = []
        for table in ["kv_default", "kv_del_default", "kv_.b", "kv_del_.b"] {
            rows.formUnion(
                try engine.rows(
                    "SELECT key, sequence, version, body, extra FROM \(table.sqlName)"))
        }
        return rows
    }

    /// The rowid of a document.
    func rowid(_ key: String) throws -> String {
        try engine.rows("SELECT rowid FROM kv_default WHERE key='\(key)'")[0]
    }
}
