import DocumentStore
import Foundation
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// The Fleece data in a real database: the bodies of all stored revisions.
struct GoldenBodies {
    struct Body {
        let id: String
        let document: FleeceDocument
        /// Whether the data is the whole body of a document, not a part that points into another.
        var isWhole = true
    }

    private(set) var bodies: [Body] = []
    let sharedKeys: SharedKeys

    init(path: String) throws {
        let database = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        let state = try database.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        sharedKeys = try state?.bytesValue.map { try SharedKeys(state: $0) } ?? SharedKeys()
        let tables = try database.selectAll(
            sql: """
                SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '%:%'
                AND (name IN ('kv_default', 'kv_del_default') OR name LIKE 'kv_.%'
                     OR name LIKE 'kv_del_.%')
                """)
        for table in tables.compactMap(\.first?.textValue) {
            try readRows(of: table, in: database)
        }
    }

    private mutating func readRows(of table: String, in database: SQLContext) throws {
        let columns = try database.selectAll(
            sql: "SELECT name FROM pragma_table_info('\(table)')")
        let extra = columns.contains([.text("extra")]) ? "extra" : "NULL"
        let rows = try database.selectAll(
            sql: "SELECT key, version, body, \(extra) FROM \"\(table)\" ORDER BY key")
        for row in rows {
            try readRow(
                row[0].textValue ?? "", version: row[1].bytesValue ?? [], body: row[2].bytesValue,
                extra: row[3].bytesValue)
        }
    }

    private mutating func readRow(
        _ id: String, version: [UInt8], body: [UInt8]?, extra: [UInt8]?
    ) throws {
        if !VersionVector.isVector(version) {
            let tree = try? (extra ?? body).map { try RevisionTree(binary: $0) }
            if let tree { try readTree(tree, of: id) }
            if extra == nil, tree != nil { return }
        }
        var current: FleeceDocument?
        if let body, !body.isEmpty {
            let document = try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
            bodies.append(Body(id: id, document: document))
            current = document
        }
        guard VersionVector.isVector(version), let extra else { return }
        #expect(extra.starts(with: [0, 0, 0, 0]), "\(id)")
        // The padding zeros are part of it: pointers into the body depend on its length.
        let others = try FleeceDocument(trusted: extra, sharedKeys: sharedKeys, base: current)
        #expect(others.root.array != nil, "\(id)")
        bodies.append(Body(id: id + ", other revisions", document: others, isWhole: false))
    }

    private mutating func readTree(_ tree: RevisionTree, of id: String) throws {
        for revision in tree.revisions {
            guard let body = revision.body, !body.isEmpty else { continue }
            let document = try FleeceDocument(trusted: body, sharedKeys: sharedKeys)
            bodies.append(Body(id: id, document: document))
        }
    }
}

@Suite("Bodies in real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenBodyTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func bodies(_ golden: GoldenDatabase) throws -> GoldenBodies {
        try GoldenBodies(path: golden.copy(to: directory))
    }

    private func json(_ value: FleeceValue, canonical: Bool = false) throws -> String {
        var options = JSONWriter.Options()
        options.canonical = canonical
        options.nullForUnrepresentable = false
        var writer = JSONWriter(options: options)
        try writer.write(value)
        return writer.text.string
    }

    /// The number of bodies: one for each revision; with version vectors, one for all other
    /// revisions of a document.
    private static let bodyCounts = [
        "upgrade_2.7": 100, "upgrade_2.8_index": 2, "db_3_0_0_names_100_with_deleted": 100,
        "upgrade_3.1_peerCheckpoints": 100, "sample_revtree_503": 120, "sample_vectors_503": 118,
    ]

    @Test("all are valid, including the order of their keys", arguments: GoldenDatabase.all)
    func validation(_ golden: GoldenDatabase) throws {
        let bodies = try bodies(golden)
        #expect(bodies.bodies.count == Self.bodyCounts[golden.name])
        #expect(bodies.sharedKeys.count > 0)
        for body in bodies.bodies where body.isWhole {
            _ = try FleeceDocument(
                validating: [UInt8](body.document.bytes), sharedKeys: bodies.sharedKeys,
                level: .strict)
            #expect(body.document.root.dictionary != nil, "\(body.id)")
        }
    }

    @Test("copies are equal, with the same shared keys or new ones", arguments: GoldenDatabase.all)
    func copies(_ golden: GoldenDatabase) throws {
        let golden = try bodies(golden)
        for keys in [golden.sharedKeys, SharedKeys(), nil] {
            var encoder = FleeceEncoder(sharedKeys: keys)
            for body in golden.bodies {
                try encoder.write(body.document.root)
                let copy = try FleeceDocument(
                    validating: encoder.finish(), sharedKeys: encoder.sharedKeys ?? SharedKeys(),
                    level: .strict)
                #expect(copy.root == body.document.root, "\(body.id)")
                #expect(copy.root.hashValue == body.document.root.hashValue, "\(body.id)")
            }
        }
    }

    @Test(
        "a body that is converted to JSON and back is equal", arguments: GoldenDatabase.all)
    func throughJSON(_ golden: GoldenDatabase) throws {
        let golden = try bodies(golden)
        var encoder = FleeceEncoder(sharedKeys: golden.sharedKeys)
        for body in golden.bodies {
            let text = try json(body.document.root)
            try encoder.writeJSON(text)
            let copy = try FleeceDocument(
                trusted: encoder.finish(), sharedKeys: encoder.sharedKeys ?? SharedKeys())
            #expect(try json(copy.root) == text, "\(body.id)")
            // The ids of other revisions are data values, which JSON does not have.
            #expect((copy.root == body.document.root) == body.isWhole, "\(body.id)")
        }
    }

    /// The documents whose JSON keys the other program encoded in another order than that of the
    /// stored body, or that it encoded from collections that had been changed.
    private static let writtenOtherwise: [String: Set<String>] = [
        "sample_revtree_503": ["types", "with-blob"],
        "sample_vectors_503": ["types", "emp-04", "emp-06", "emp-08"],
    ]

    @Test("JSON is encoded to the bytes of the other program", arguments: GoldenDatabase.all)
    func bytes(_ golden: GoldenDatabase) throws {
        let bodies = try bodies(golden)
        let others = Self.writtenOtherwise[golden.name] ?? []
        var encoder = FleeceEncoder(sharedKeys: bodies.sharedKeys)
        var different: Set<String> = []
        for body in bodies.bodies where body.isWhole {
            try encoder.writeJSON(json(body.document.root))
            let isSame = try encoder.finish() == [UInt8](body.document.bytes)
            if !isSame { different.insert(body.id) }
        }
        #expect(different == others)
        #expect(encoder.sharedKeys?.count == bodies.sharedKeys.count)
    }
}
