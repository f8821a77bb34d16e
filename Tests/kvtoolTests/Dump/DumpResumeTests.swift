import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite(
    "A load that was interrupted",
    .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct DumpResumeTests {
    private let database: SampleDatabase
    private let target: String

    init() throws {
        database = try SampleDatabase(people: 12_000)
        target = database.directory("new.cblite2")
        let blob = try database.newFile("photo", Data((0..<200_000).map { UInt8($0 % 251) }))
        try Kvtool.run(["blob", "put", database.path, blob]).success()
    }

    /// Continues with a complete dump, checks the result, and returns the line where it continued.
    @discardableResult
    private func goOn(with dump: String) throws -> Int {
        let json = try database.load(dump, "--json").success().answer()
        #expect(try DumpedTables.rows(of: target) == DumpedTables.rows(of: database.path))
        #expect(json["blobs"] as? Int == 1)
        let blobs = try DirectoryContents(target).names.filter { $0.hasSuffix(".blob") }
        #expect(blobs.count == 1)
        // The database is complete now, so no load can continue.
        try database.load(dump).refusal(status: 6)
        return try #require(json["resumedAfterLine"] as? Int)
    }

    @Test("by Ctrl-C reports it, and continues", arguments: DumpTests.names)
    func interrupted(_ form: String) throws {
        let dump = try database.dump(form)
        let tool = try RunningTool(
            ["load", target, dump, "--progress", "json"], readsErrors: true)
        _ = try #require(tool.lines(upTo: #""progress""#))
        let end = tool.interrupt()
        #expect(end.status == 130 && !end.isSignalled)
        let last = try #require(end.lines.last)
        #expect(last.hasPrefix("kvtool: interrupted: ") && last.contains("to continue"))
        #expect(try goOn(with: dump) > 2)
    }

    @Test("by a kill continues", arguments: DumpTests.names, [1, 3])
    func killed(_ form: String, _ lines: Int) throws {
        let dump = try database.dump(form)
        let tool = try RunningTool(
            ["load", target, dump, "--progress", "json"], readsErrors: true)
        for _ in 0..<lines { _ = try #require(tool.lines(upTo: #""progress""#)) }
        tool.crash()
        // It must not be mistaken for a complete database.
        try Kvtool.run(["dump", target, database.directory("half.dump")]).refusal(status: 6)
        #expect(try goOn(with: dump) >= 2)
    }

    @Test(
        "by a truncated dump names the position, and continues", arguments: DumpTests.names,
        [0.1, 0.5, 0.9, 0.999])
    func cutOff(_ form: String, _ share: Double) throws {
        let dump = try database.dump(form)
        let whole = try SampleDatabase.bytes(dump)
        let half = try database.newFile("half", whole.prefix(Int(Double(whole.count) * share)))
        let dry = try database.load(half, "--dry-run").refusal(status: 5)
        #expect(dry.hasPrefix("\(half) is truncated after line "))
        let complaint = try database.load(half).refusal(status: 5)
        #expect(complaint.hasPrefix("\(half) is truncated after line "))
        guard share > 0.1 else {
            // This is less than the first batch, so nothing was committed.
            #expect(complaint.hasSuffix("; nothing was loaded"))
            #expect(!FileManager.default.fileExists(atPath: target))
            #expect(try goOn(with: dump) == 0)
            return
        }
        #expect(complaint.contains("\(target) is incomplete; load the complete dump"))
        let after = try goOn(with: dump)
        // At most one batch is read again.
        let lines = try #require(complaint.firstMatch(of: /after line ([0-9]+)/))
        #expect(after >= (Int(lines.1) ?? 0) - 5200)
        #expect(after <= (Int(lines.1) ?? 0))
    }

    @Test("because the disk is full continues")
    func fullDisk() throws {
        let dump = try database.dump()
        // The limit on a file's size in blocks of 512 or 1,024 bytes simulates a full disk.
        let script = #"ulimit -f "$3"; trap '' XFSZ; exec "$KVTOOL" load "$1" "$2""#
        // The first limit is less than a batch.
        let stays = "loaded rows are kept; run the same command to continue"
        for (blocks, said) in [(1000, "nothing was loaded"), (6000, stays)] {
            let outcome = try Kvtool.shell(script, [target, dump, "\(blocks)"])
            #expect(outcome.refusal(status: 1).hasSuffix("; \(said)"), "\(blocks)")
            #expect(FileManager.default.fileExists(atPath: target) == (blocks == 6000))
        }
        try goOn(with: dump)
    }

    @Test("does not write an existing blob again", arguments: DumpTests.names)
    func blobs(_ form: String) throws {
        let dump = try database.dump(form)
        let whole = try SampleDatabase.bytes(dump)
        // Without the last line, and the end of an archive.
        let end = try #require(whole.range(of: Data(#"{"end":"#.utf8), options: .backwards))
        let half = try database.newFile("half", whole.prefix(end.lowerBound))
        try database.load(half).refusal(status: 5)
        let name = try #require(try DirectoryContents(target).names.first { $0.hasSuffix(".blob") })
        func number() throws -> Int? {
            let file = try FileManager.default.attributesOfItem(atPath: "\(target)/\(name)")
            return (file[.systemFileNumber] as? NSNumber)?.intValue
        }
        let before = try #require(try number())
        try goOn(with: dump)
        #expect(try number() == before)
    }

    @Test("continues with the same dump only, and with the same options")
    func another() throws {
        let dump = try database.dump()
        let whole = try SampleDatabase.bytes(dump)
        let half = try database.newFile("half", whole.prefix(whole.count / 2))
        try database.load(half).refusal(status: 5)
        let other = try SampleDatabase(people: 100)
        let complaint = try database.load(other.dump()).refusal(status: 6)
        #expect(complaint.contains("was started with a different dump"))
        try database.load(dump, "--new-uuid").refusal(status: 6)
        try goOn(with: dump)
    }
}
