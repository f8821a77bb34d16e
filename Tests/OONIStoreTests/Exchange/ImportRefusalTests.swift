import SQLCore
import DocumentStore
import Foundation
import StoreTestSupport
import Testing

@testable import OONIStore

@Suite("Databases that cannot be imported")
struct ImportRefusalTests {
    private let store: OONIStore
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        store = try OONIStore.inMemory()
        try store.importProbe(path: ProbeFixture(in: directory, version: 7).path)
    }

    private func lines() throws -> [String] {
        var lines: [String] = []
        try store.export { lines.append($0) }
        return lines
    }

    /// Expects an error that says something, and a store that is as it was.
    private func expectRefusal(_ path: String, _ says: String) throws {
        let before = try lines()
        let error = #expect(throws: OONIStoreError.self) { try store.importProbe(path: path) }
        #expect(error?.code == .notReadable)
        #expect(error?.message.contains(says) == true, "\(error?.message ?? "no error")")
        #expect(try lines() == before)
    }

    @Test(
        "Versions before 5 and after 21 are refused, with what to do",
        arguments: [
            (0, "open it with the app first"), (4, "open it with the app first"),
            (22, "use a newer one"), (99, "use a newer one"), (-3, "open it with the app"),
        ])
    func versions(version: Int, says: String) throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec("PRAGMA user_version = \(version)")
        try expectRefusal(fixture.path, says)
    }

    @Test("So is what is not a database, or none of the app's")
    func others() throws {
        try expectRefusal(directory("none.db"), "check that it exists")
        try Data().write(to: URL(fileURLWithPath: directory("empty.db")))
        try expectRefusal(directory("empty.db"), "has no table Result")
        try Data("This is a text, and long enough to be read as one".utf8)
            .write(to: URL(fileURLWithPath: directory("text.db")))
        try expectRefusal(directory("text.db"), "not an SQLite database")
        let other = try SQLContext(path: directory("other.db"))
        try other.exec(sql: "CREATE TABLE Result (id INTEGER PRIMARY KEY, start_time INTEGER)")
        try other.close()
        try expectRefusal(directory("other.db"), "has no table Measurement")
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec("ALTER TABLE Measurement RENAME COLUMN test_name TO test")
        try expectRefusal(fixture.path, "no column test_name")
    }

    @Test("A file that is cut short is refused, wherever it is cut")
    func cut() throws {
        let fixture = try ProbeFixture(
            in: directory, version: 21, ProbeFixture.manyRows(results: 20, seed: 1))
        let whole = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        for length in [whole.count - 1, whole.count - 4096, whole.count / 2, 4096, 1000, 50] {
            try whole.prefix(length).write(to: URL(fileURLWithPath: fixture.path))
            let before = try lines()
            let error = #expect(throws: OONIStoreError.self, "\(length)") {
                try store.importProbe(path: fixture.path)
            }
            #expect(error?.code == .notReadable)
            #expect(try lines() == before)
        }
    }

    @Test("Damage that is found while rows are read leaves the store as it was")
    func damage() throws {
        let fixture = try ProbeFixture(
            in: directory, version: 5, ProbeFixture.manyRows(results: 200, seed: 2))
        var bytes = try Data(contentsOf: URL(fileURLWithPath: fixture.path))
        let page = 4096
        let last = bytes.count / page - 1
        for number in (last - 20)...last {
            bytes.replaceSubrange(
                number * page..<(number + 1) * page, with: Data(repeating: 0xA5, count: page))
        }
        try bytes.write(to: URL(fileURLWithPath: fixture.path))
        try expectRefusal(fixture.path, "damaged or cut short")
    }

    @Test("A database whose app was interrupted while it wrote is left to the app")
    func interrupted() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        let copy = directory("interrupted.db")
        let app = try SQLContext(path: fixture.path)
        try app.exec(sql: "PRAGMA cache_size = 1; BEGIN; UPDATE Measurement SET runtime = 3")
        try app.exec(
            sql: "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
                + "INSERT INTO Url (url) SELECT 'https://' || i FROM n")
        for name in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: fixture.path + name, toPath: copy + name)
        }
        try app.close()
        let before = try Data(contentsOf: URL(fileURLWithPath: copy))
        try expectRefusal(copy, "open it with the app once")
        #expect(try Data(contentsOf: URL(fileURLWithPath: copy)) == before)
    }

    @Test("What progress throws ends the import, and the store is as it was")
    func cancelled() throws {
        let fixture = try ProbeFixture(
            in: directory, version: 5, ProbeFixture.manyRows(results: 200, seed: 3))
        let before = try lines()
        var told: [OONIStore.ImportReport.Progress] = []
        #expect(throws: CancellationError.self) {
            try store.importProbe(path: fixture.path) { progress in
                told.append(progress)
                if progress.table == .measurements, progress.rows == 1_000 {
                    throw CancellationError()
                }
            }
        }
        #expect(told.last?.rows == 1_000)
        #expect(told.first == .init(table: .descriptors, rows: 0, total: 0))
        #expect(told.contains(.init(table: .urls, rows: 1_000, total: 1_000)))
        #expect(try lines() == before)
    }

    @Test("A number beyond what documents can have becomes another")
    func largeNumbers() throws {
        let fixture = try ProbeFixture(in: directory, version: 21)
        try fixture.exec(
            """
            UPDATE Result SET id = 9223372036854775807 WHERE id = 3;
            UPDATE Measurement SET result_id = 9223372036854775807 WHERE result_id = 3;
            UPDATE Measurement SET id = -5 WHERE id = 10;
            """)
        let other = try OONIStore.inMemory()
        let report = try other.importProbe(path: fixture.path)
        #expect(report.renumberedResults == [.max: .init(8)])
        #expect(report.renumberedMeasurements == [-5: .init(.init(8), 41)])
        #expect(try other.read { try other.verify(in: $0) } == [])
    }

    @Test("Many rows are imported with the counts that they have")
    func many() throws {
        let results = TestEnvironment.number("STORE_IMPORT_RESULTS", or: 150)
        let fixture = try ProbeFixture(
            in: directory, version: 21, ProbeFixture.manyRows(results: results, seed: 4))
        let other = try OONIStore(path: directory("store.cblite2"))
        let clock = ContinuousClock()
        var report = OONIStore.ImportReport()
        let time = try clock.measure { report = try other.importProbe(path: fixture.path) }
        let rows = report.rows[.measurements] ?? 0
        FileHandle.standardError.write(
            Data("import of \(results) results, \(rows) measurements: \(time)\n".utf8))
        #expect(report.problems.isEmpty)
        try other.read { (snapshot) throws in
            #expect(try other.verify(in: snapshot) == [])
            #expect(try other.results.collection.count(in: snapshot).live == results)
            #expect(try other.measurements.collection.count(in: snapshot).live == rows)
        }
    }
}
