import DocumentStore
import ProjectTestSupport
import SQLCore
import StoreTestSupport
import Testing

/// The code of the articles in StoreTestSupport.docc.
@Suite("Documentation: the snippets")
struct DocumentationSnippets {
    /// The driver of a store under test.
    private typealias MyDriver = ListDriver

    private let directory: TemporaryDirectory
    private let path: String

    init() throws {
        directory = try TemporaryDirectory()
        path = directory("people.cblite2")
        let options = DataFileOptions(access: .create)
        let file = try DataFile(path: path, options: options)
        try save("ada", in: file)
        file.close()
    }

    private func save(_ id: String, in file: DataFile) throws {
        try FaultSweepTests.save([id], in: file)
    }

    private func ids(_ path: String) throws -> Set<String> {
        try FaultSweepTests.ids(path)
    }

    @Test("StoreTestSupport")
    func start() throws {
        // snippet begins: StoreTestSupport
        let store = try TemporaryStore()
        try store.file.write { transaction in
            _ = try DocumentCollection(.default).save("ada", in: transaction) {
                try $0.writeJSON(#"{"name": "Ada"}"#)
            }
        }
        let names = try store.file.read { try DocumentCollection(.default).count(in: $0).live }
        // snippet ends
        #expect(names == 1)
    }

    @Test("Faults")
    func faults() throws {
        // snippet begins: Faults
        let summary = try FaultSweep(stride: 10).run(copying: path) { round in
            let file = try DataFile(
                path: round("people.cblite2"), options: DataFileOptions(access: .readWrite))
            try save("grace", in: file)
            file.close()
        } check: { round in
            let found = try ids(round("people.cblite2"))
            #expect(found.contains("ada"), "\(round)")
            #expect(round.error != nil || found.contains("grace"), "\(round)")
        }
        #expect(summary.faults > 0)
        // snippet ends
    }

    @Test("Faults by hand")
    func faultsByHand() throws {
        let path = directory("t.db")
        // snippet begins: Faults
        let vfs = try FaultVFS.registered()
        let context = try vfs.open(path)
        try context.exec(sql: "CREATE TABLE t (a)")
        vfs.fail(.sync)
        let error = #expect(throws: SQLError.self) {
            try context.exec(sql: "INSERT INTO t VALUES (1)")
        }
        #expect(error?.code == .syncFailed)
        #expect(vfs.fault?.kind == .mainJournal)
        vfs.heal()
        // snippet ends
        try context.exec(sql: "INSERT INTO t VALUES (1)")
    }

    @Test("PowerLoss")
    func powerLoss() throws {
        // snippet begins: PowerLoss
        let images = try PowerLossSweep(seed: 7).run(copying: path) { round in
            let file = try DataFile(
                path: round("people.cblite2"), options: DataFileOptions(access: .readWrite))
            try save("grace", in: file)
            file.close()
        } check: { image in
            let found = try ids(image("people.cblite2"))
            #expect(found.contains("ada"), "\(image)")
        }
        #expect(images > 0)
        // snippet ends
    }

    @Test("Crashes")
    func crashes() throws {
        let path = directory("crash.cblite2")
        let file = CrashedFile(path: path, slots: 16, parts: 3)
        let program = try #require(CrashHarness.program(named: "CrashWriter"))
        // snippet begins: Crashes
        let harness = CrashHarness(
            program: program, arguments: [path, "16", "3", "honest"], seed: 7)
        try harness.run(rounds: 10) { round in
            let (last, problems) = try file.check()
            #expect(problems == [], "\(round)")
            #expect(last >= round.acknowledged.last.flatMap { Int64($0) } ?? 0, "\(round)")
        }
        // snippet ends
    }

    @Test("Histories")
    func histories() throws {
        // snippet begins: Histories
        var configuration = HistoryConfiguration()
        configuration.operations = 300
        for seed in 1...10 as ClosedRange<UInt64> {
            try HistoryTest(configuration).run(seed: seed) { MyDriver() }
        }
        // snippet ends
        // snippet begins: Histories
        let failure = #expect(throws: HistoryFailure.self) {
            try HistoryTest().run(seed: 77) { ListDriver(.countsTombstones) }
        }
        let text = failure?.description
        // snippet ends
        let article = try DocumentationTests.catalogue.article("Histories")
        #expect(article.contains("```\n\(text ?? "no failure")\n```"))
    }
}
