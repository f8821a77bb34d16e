import Foundation
import ProjectTestSupport
import SampleData
import StoreTestSupport
import Testing

@Suite("kvtool dump", .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct DumpTests {
    /// The forms of a dump.
    static let names = ["people.dump", "people.tar"]

    /// The lines of a dump that do not depend on its form.
    private static func content(_ dump: String) -> [String] {
        dump.split(separator: "\n").map(String.init).filter {
            !["{\"dump\":", "{\"check\":", "{\"end\":", "{\"index\":"].contains(where: $0.hasPrefix)
        }
    }

    @Test(
        "and load reproduce databases of other implementations",
        .enabled(if: GoldenFiles.arePresent, "needs the golden files"),
        arguments: GoldenTests.names, names)
    func golden(_ name: String, _ form: String) throws {
        let database = try SampleDatabase(golden: name)
        let before = try database.contents
        let text = try database.run("dump").success().stdout
        try database.load(try database.dump(form)).success()
        #expect(try database.contents == before)
        let copy = database.directory("new.cblite2")
        let again = try Kvtool.run(["dump", copy]).success().stdout
        #expect(Self.content(again) == Self.content(text))
        #expect(Self.content(text).count > 5)
        if name.hasSuffix("_503") {
            #expect(try DumpedTables.rows(of: copy) == DumpedTables.rows(of: database.path))
            let (old, new) = (before, try DirectoryContents(copy))
            let blobs = old.names.filter { $0.hasSuffix(".blob") }
            #expect(blobs.count == 1)
            for blob in blobs { #expect(new[blob] == old[blob]) }
            #expect(new.names.filter { $0.hasSuffix(".blob") } == blobs)
            try Kvtool.run(["check", copy]).success()
        }
    }

    @Test(
        "and load reproduce random collections, tombstones and expirations",
        arguments: 1...6 as ClosedRange<UInt64>)
    func random(_ seed: UInt64) throws {
        let database = try SampleDatabase()
        try RandomDatabase.pair(seed).1.write(to: database.path, isReversed: seed % 2 == 0)
        let form = Self.names[Int(seed % 2)]
        try database.load(try database.dump(form)).success()
        let copy = database.directory("new.cblite2")
        let rows = try DumpedTables.rows(of: database.path)
        #expect(rows.count > 20, "seed \(seed)")
        #expect(try DumpedTables.rows(of: copy) == rows, "seed \(seed)")
    }

    @Test("and load transfer blobs of all sizes, from none to many pieces", arguments: names)
    func blobs(_ form: String) throws {
        let database = try SampleDatabase(people: 3)
        let files = try [0, 1, 511, 512, 49_151, 49_152, 49_153, 300_000].map { size in
            try database.newFile(
                "\(size).bin", Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ size) }))
        }
        try Kvtool.run(["blob", "put", database.path] + files).success()
        let loaded = try database.load(try database.dump(form)).success()
        #expect(loaded.stdout.contains(" and 8 blobs into "))
        func blobs(_ path: String) throws -> [String: Data] {
            let contents = try DirectoryContents(path)
            let names = contents.names.filter { $0.hasSuffix(".blob") }
            return Dictionary(uniqueKeysWithValues: names.map { ($0, contents[$0] ?? Data()) })
        }
        let copies = try blobs(database.directory("new.cblite2"))
        #expect(copies.count == 8)
        #expect(try copies == blobs(database.path))
        let few = database.directory("few.dump")
        try database.run("dump", few, "--without-blobs").success()
        #expect(try database.load(few, "-n").success().stdout.contains(" and 0 blobs"))
    }

    @Test("reports what it wrote, as text and JSON; to standard output nothing more")
    func report() throws {
        let database = try SampleDatabase(people: 3)
        let file = database.directory("a b.dump")
        let text = try database.run("dump", file).success().stdout
        #expect(text.hasPrefix("Dumped ") && text.hasSuffix(" rows and 0 blobs to \(file)\n"))
        let json = try database.run("dump", file, "--force", "--json").success().answer()
        #expect(json["schema"] as? String == "kvtool.dump/1")
        #expect(json["database"] as? String == database.path)
        #expect(json["file"] as? String == file)
        #expect(json["blobs"] as? Int == 0)
        let rows = try #require(json["rows"] as? Int)
        let lines = try database.run("dump", "--ndjson").success().lines
        #expect(try database.run("dump", "--json").status == 2)
        #expect(lines.filter { $0.hasPrefix(#"{"k":"#) }.count == rows)
        let bytes = Data(lines.map { $0 + "\n" }.joined().utf8)
        #expect(try SampleDatabase.bytes(file) == bytes)
        let last = try #require(lines.last)
        #expect(last.hasPrefix(#"{"end":{"lines":\#(lines.count - 1),"blobs":0,"crc32":""#))
        let csv = try database.run("dump", file, "--force", "--csv").success().lines
        #expect(csv[0] == "database,file,rows,blobs,seconds" && csv.count == 2)
    }

    @Test("overwrites no file, and leaves no incomplete one")
    func refusals() throws {
        let database = try SampleDatabase(people: 5000)
        let file = try database.newFile("there", Data("mine".utf8))
        try database.run("dump", file).refusal(status: 6)
        #expect(try SampleDatabase.bytes(file) == Data("mine".utf8))
        try Kvtool.run(["dump", database.directory("none.cblite2")]).refusal(status: 3)
        let before = try DirectoryContents(database.directory.path).names
        for form in Self.names {
            let script = #"ulimit -f 200; trap '' XFSZ; exec "$KVTOOL" dump "$1" "$2""#
            let target = database.directory(form)
            let outcome = try Kvtool.shell(script, [database.path, target])
            #expect(outcome.refusal(status: 1).hasPrefix("\(target) cannot be written: "))
        }
        #expect(try DirectoryContents(database.directory.path).names == before)
    }

    @Test("is quiet when the reader closes the pipe", arguments: ["ndjson", "tar"])
    func closedPipe(_ form: String) throws {
        let database = try SampleDatabase(people: 2000)
        let script = #"{ "$KVTOOL" dump "$1" --format "$2"; echo $? >&2; } | head -c 1 >/dev/null"#
        let outcome = try Kvtool.shell(script, [database.path, form])
        #expect(outcome.stderr == "0\n")
    }
}
