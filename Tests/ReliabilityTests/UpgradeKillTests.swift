import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// A process that upgrades an older file, and then moves its tombstones in the background, is
/// killed.
@Suite(
    "A kill during the upgrade of an older file",
    .enabled(if: GoldenFiles.arePresent, "no golden files"))
struct UpgradeKillTests {
    private static let rounds = TestEnvironment.number("STORE_KILLS", or: 60)

    /// The progress of moving the tombstones.
    private struct Progress {
        let schema: Int64
        /// Tombstones that are stored with the live records, and those that the move would miss.
        let unmoved: Int64
        let overlooked: Int64
        let note: Int64

        init(_ path: String) throws {
            let context = try SQLContext(path: path + "/db.sqlite3", flags: .readWrite)
            func number(_ sql: String) throws -> Int64 {
                try context.selectValue(sql: sql).flatMap {
                    if case .long(let number) = $0 { number } else { nil }
                } ?? 0
            }
            schema = try number("PRAGMA user_version")
            unmoved = try number("SELECT count(*) FROM kv_default WHERE flags & 1")
            guard schema >= 503 else {
                (overlooked, note) = (0, 0)
                return
            }
            let limit = try context.selectValue(
                sql: "SELECT body FROM kv_info WHERE key = 'maxRowidWithDeletedInDefault'")
            let bytes = if case .blob(let bytes) = limit { Array(bytes) } else { [UInt8]() }
            let highest = bytes.reduce(Int64(0)) { $0 << 8 | Int64($1) }
            overlooked = try number(
                "SELECT count(*) FROM kv_default WHERE flags & 1 AND rowid > \(highest)")
            let hasNotes = try number("SELECT count(*) FROM sqlite_master WHERE name = 'kv_notes'")
            let body =
                try hasNotes == 0
                ? nil : context.selectValue(sql: "SELECT body FROM kv_notes WHERE key = 'note'")
            note = if case .blob(let bytes) = body { Int64(bytes.first ?? 0) } else { 0 }
        }
    }

    @Test("leaves every record unchanged, upgraded or not, and the move can be continued")
    func kills() throws {
        let (original, directory) = (try TemporaryDirectory(), try TemporaryDirectory())
        let template = try OlderFile.copy(in: original)
        let killed = KilledFile(path: directory(OlderFile.name))
        let before = try OlderFile.records(try KilledFile(path: template).open())
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        let harness = CrashHarness(
            program: program, arguments: [killed.path, "upgrade"], seed: 33)
        _ = try directory.copy(of: template)
        var (old, between, finished, acknowledged) = (0, 0, 0, 0)
        var note: Int64 = 0
        try harness.run(rounds: Self.rounds) { round in
            let progress = try Progress(killed.path)
            #expect([400, 503].contains(progress.schema), "\(round)")
            #expect(progress.overlooked == 0, "\(round)")
            let said = round.acknowledged.compactMap { Int64($0) }
            acknowledged += said.count
            // The writer acknowledges them with one byte each.
            let least = said.last ?? note
            #expect([least, (least + 1) & 0xFF].contains(progress.note), "\(round)")
            note = progress.note
            let file = try killed.open(.readWrite)
            defer { file.close() }
            let report = try file.integrityCheck()
            #expect(report.isIntact, "\(report.findings): \(round)")
            let isSame = try OlderFile.records(file) == before
            #expect(isSame, "\(round)")
            if progress.schema == 400 { old += 1 }
            guard progress.schema == 503 else { return }
            if progress.unmoved > 0 { between += 1 } else { finished += 1 }
            // In some rounds the next process continues this one's work.
            guard progress.unmoved == 0 || round.number.isMultiple(of: 2) else { return }
            while try !file.write({ try $0.moveTombstones(rows: 1000) }) {}
            let isStillSame = try OlderFile.records(file) == before
            #expect(isStillSame, "\(round)")
            file.close()
            try Self.replace(killed.path, template, directory)
            note = 0
        }
        Figures.note(
            "upgrade: \(Self.rounds) kills, \(old) before it, \(between) between steps, "
                + "\(finished) after, \(acknowledged) transactions acknowledged")
        #expect(between + finished > 0)
    }

    private static func replace(
        _ path: String, _ template: String, _ directory: TemporaryDirectory
    ) throws {
        try DataFile.delete(path: path)
        _ = try directory.copy(of: template)
    }
}
