import EngineTestSupport
import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Synchronization
import Testing
@testable import DataFileCore

@Suite("Checking a database", .timeLimit(.minutes(20)))
struct MaintenanceCheckTests {
    let fixture: StoreFixture

    init() throws {
        fixture = try StoreFixture()
        let file = try fixture.open()
        try fixture.fill(file, count: 400)
        file.close()
    }

    @Test("finds nothing in an intact file")
    func intact() throws {
        let report = try fixture.open(.readOnly).integrityCheck()
        #expect(report.isIntact && !report.isCutOff && report.uncheckedIndexes == nil)
        #expect(report.tracesPages)
    }

    @Test("traces a damaged page to its table")
    func damagedTable() throws {
        let page = try fixture.pages(of: "kv_default", type: "leaf")[7]
        try fixture.overwrite(page: page, with: Array(repeating: 0x5A, count: 4096))
        let report = try fixture.open(.readOnly).integrityCheck()
        let finding = try #require(report.findings.first { $0.page == page })
        #expect(finding.table == "kv_default" && finding.index == nil)
        #expect(finding.keyStore == .default)
        #expect(report.findings.allSatisfy { $0.keyStore == .default }, "\(report.findings)")
    }

    @Test("traces a damaged page of an index to the index and its table")
    func damagedIndex() throws {
        let index = "sqlite_autoindex_kv_default_1"
        let page = try #require(try fixture.pages(of: index, type: "leaf").last)
        try fixture.overwrite(page: page, with: Array(repeating: 0x5A, count: 4096))
        let report = try fixture.open(.readOnly).integrityCheck()
        let finding = try #require(report.findings.first { $0.page == page })
        #expect(finding.index == index && finding.table == "kv_default")
    }

    @Test("reports a row that an index lacks, with the name of the index")
    func missingRow() throws {
        let context = try fixture.sqlite()
        try context.exec(
            sql: """
                PRAGMA writable_schema=on;
                UPDATE sqlite_master SET sql=replace(sql, 'expiration not null', 'flags = 0')
                    WHERE name='kv_default_expiration'
                """)
        try context.close()
        let report = try fixture.open(.readOnly).integrityCheck(limit: 3)
        #expect(report.isCutOff && report.findings.count == 3)
        #expect(
            report.findings.allSatisfy {
                $0.index == "kv_default_expiration" && $0.table == "kv_default"
            })
    }

    @Test("an unreadable schema table is a finding, not an error")
    func damagedSchema() throws {
        let context = try fixture.sqlite()
        try IntegrityCheck(context: context, limit: 5).context.exec(
            sql: "PRAGMA writable_schema=on; UPDATE sqlite_master SET sql='CREATE TABLE' "
                + "WHERE name='kv_info'")
        let report = try IntegrityCheck(context: fixture.sqlite(), limit: 5).run()
        #expect(!report.isIntact)
        #expect(report.findings.first?.message.contains("malformed") == true)
    }

    @Test("checks everything except indexes whose functions are missing, and reports that")
    func foreignIndex() throws {
        try fixture.addForeignIndex()
        let file = try fixture.open(.readOnly)
        let report = try file.integrityCheck()
        #expect(report.isIntact)
        #expect(
            report.uncheckedIndexes == "they need other_value, which this program does not have")
        file.close()
        let page = try fixture.pages(of: "kv_default", type: "leaf")[3]
        try fixture.overwrite(page: page, with: Array(repeating: 0x5A, count: 4096))
        let damaged = try fixture.open(.readOnly).integrityCheck()
        #expect(damaged.findings.contains { $0.page == page && $0.table == "kv_default" })
    }

    @Test(
        "reads what SQLite writes, of all versions",
        arguments: [
            ("row 7 missing from index a b", nil, nil, "a b", nil),
            ("wrong # of entries in index x", nil, nil, "x", nil),
            ("NULL value in kv_.a.b.key", nil, nil, nil, "kv_.a.b"),
            ("Tree 14 page 20 cell 3: Extends off end of page", 14, 20, nil, nil),
            ("Tree 14 page 14: btreeInitPage() returns error code 11", 14, 14, nil, nil),
            ("On tree page 20 cell 3: 2nd reference to page 21", nil, 20, nil, nil),
            ("Page 20: btreeInitPage() returns error code 11", nil, 20, nil, nil),
            ("On page 20 at right child: Rowid 5 out of order", nil, 20, nil, nil),
            ("Page 99999999999999999999 is never used", nil, nil, nil, nil),
            ("page", nil, nil, nil, nil),
        ] as [(String, Int?, Int?, String?, String?)])
    func messages(text: String, root: Int?, page: Int?, index: String?, table: String?) {
        let message = IntegrityMessage(text[...])
        #expect(message.root == root && message.page == page)
        #expect(message.index == index && message.table == table)
    }

    @Test("a row of several lines is several findings")
    func lines() {
        let row = "*** in database main ***\nPage 3: a\nPage 4: b"
        #expect(IntegrityMessage.all(in: row).map(\.page) == [3, 4])
    }

    private final class Flag: Sendable {
        let isSet = Atomic<Bool>(false)
    }

    @Test("can be interrupted from another thread")
    func interrupted() throws {
        let context = try fixture.sqlite()
        let interrupter = context.interrupter
        let isDone = Flag()
        Thread.detachNewThread {
            while !isDone.isSet.load(ordering: .relaxed) { interrupter.interrupt() }
        }
        defer { isDone.isSet.store(true, ordering: .relaxed) }
        let error = #expect(throws: SQLError.self) {
            while true { _ = try IntegrityCheck(context: context, limit: 5).run() }
        }
        #expect(error?.code == .interrupted)
    }

    @Test("indexes are rebuilt from the rows")
    func reindex() throws {
        let context = try fixture.sqlite()
        try context.exec(
            sql: """
                CREATE TABLE spare (key TEXT PRIMARY KEY);
                PRAGMA writable_schema=on;
                UPDATE sqlite_master SET rootpage=(
                    SELECT rootpage FROM sqlite_master WHERE name='sqlite_autoindex_spare_1')
                    WHERE name='sqlite_autoindex_kv_default_1';
                DELETE FROM sqlite_master WHERE tbl_name='spare'
                """)
        try context.close()
        let file = try fixture.open()
        let before = try file.integrityCheck()
        #expect(before.findings.contains { $0.index == "sqlite_autoindex_kv_default_1" })
        try file.reindex()
        let after = try file.integrityCheck()
        #expect(!after.findings.contains { $0.index != nil }, "\(after.findings)")
        #expect(try fixture.json("doc7", in: file)?.isEmpty == false)
    }

    @Test("planner statistics are updated by policy: after many rows, and a new index")
    func policy() {
        var policy = AnalysisPolicy()
        policy.noteBulkChange(rows: AnalysisPolicy.bulkRows - 1, in: .default)
        #expect(policy.takeDue() == [])
        policy.noteBulkChange(rows: 1, in: .default)
        policy.noteNewIndex(on: KeyStoreName(".a"))
        #expect(policy.takeDue() == [KeyStoreName(".a"), .default])
        #expect(policy.takeDue() == [])
        policy.noteBulkChange(rows: AnalysisPolicy.bulkRows - 1, in: .default)
        policy.noteBulkChange(rows: -5, in: .default)
        #expect(policy.takeDue() == [])
    }

    @Test("optimizing updates the statistics of the requested stores, or of all")
    func optimize() throws {
        let context = try fixture.sqlite()
        try fixture.sqlite().exec(sql: "INSERT INTO kv_del_default (key) VALUES ('x')")
        try Optimization.analyze([.default], context)
        let tables = { try context.selectAll(sql: "SELECT DISTINCT tbl FROM sqlite_stat1") }
        let found = Set(try tables())
        #expect(
            found.isSuperset(of: [[.text("kv_default")], [.text("kv_del_default")]]), "\(found)")
        try fixture.open().optimize()
        #expect(try tables().contains([.text("kv_info")]))
        try Optimization.optimize(context)
    }
}
