import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

@Suite("Version vectors in real databases", .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct GoldenVectorTests {
    private struct Row {
        let table: String
        let key: String
        let flags: DocumentFlags
        let version: [UInt8]
        let body: [UInt8]?
        let extra: [UInt8]?
    }

    private let rows: [Row]
    private let sharedKeys: SharedKeys

    init() throws {
        let directory = try TemporaryDirectory()
        let path = try GoldenDatabase.named("sample_vectors_503").copy(to: directory)
        let database = try SQLContext(path: path + "/db.sqlite3", flags: .readOnly)
        var rows: [Row] = []
        for table in [
            "kv_default", "kv_del_default", #"kv_.hr.\Employees"#, #"kv_del_.hr.\Employees"#,
        ] {
            let found = try database.selectAll(
                sql: "SELECT key, flags, version, body, extra FROM \"\(table)\"")
            rows += found.map { row in
                Row(
                    table: table, key: row[0].textValue ?? "",
                    flags: DocumentFlags(
                        rawValue: UInt16(truncatingIfNeeded: row[1].longValue ?? 0)),
                    version: row[2].bytesValue ?? [], body: row[3].bytesValue,
                    extra: row[4].bytesValue)
            }
        }
        self.rows = rows
        let state = try database.selectValue(
            sql: "SELECT body FROM kv_info WHERE key = 'SharedKeys'")
        sharedKeys = try SharedKeys(state: state?.bytesValue ?? [])
    }

    @Test("each is written with the bytes that it was read from, and its text can be parsed")
    func vectors() throws {
        #expect(rows.count == 119)
        for row in rows {
            let vector = try VersionVector(binary: row.version)
            #expect(vector.binary == row.version, "\(row.key)")
            #expect(vector.withBinary { [UInt8]($0) } == row.version, "\(row.key)")
            #expect(try VersionVector(text: vector.text) == vector, "\(row.key)")
            #expect(vector.count == 1 && vector.first.source == .local, "\(row.key)")
        }
    }

    @Test("each extra is written with the bytes that it was read from")
    func extras() throws {
        let others = rows.filter { $0.extra != nil }
        #expect(others.map(\.key).sorted() == ["conflicted", "synced"])
        for row in others {
            let body = try FleeceDocument(trusted: row.body ?? [], sharedKeys: sharedKeys)
            let remotes = try RemoteRevisions(
                extra: row.extra ?? [], body: body, sharedKeys: sharedKeys)
            #expect(try remotes.encoded(body: body) == row.extra, "\(row.key)")
            #expect(remotes.isConflicted == row.flags.contains(.conflicted), "\(row.key)")
            #expect(remotes.all.map(\.remote) == [1], "\(row.key)")
        }
    }
}
