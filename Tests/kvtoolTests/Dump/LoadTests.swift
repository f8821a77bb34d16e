import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("kvtool load", .enabled(if: SQLiteShell.isPresent, "needs the sqlite3 command"))
struct LoadTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 700)
        let blob = try database.newFile("photo", Data((0..<120_000).map { UInt8($0 % 251) }))
        try Kvtool.run(["blob", "put", database.path, blob]).success()
    }

    private var rows: [String] { get throws { try DumpedTables.rows(of: database.path) } }
    private var loaded: [String] {
        get throws { try DumpedTables.rows(of: database.directory("new.cblite2")) }
    }

    @Test("reports what it loaded, from a file or standard input, in either form")
    func report() throws {
        for form in DumpTests.names {
            let file = try database.dump(form)
            let target = database.directory("\(form).cblite2")
            let outcome = try Kvtool.run(
                ["load", target, "-", "--json"], stdin: SampleDatabase.bytes(file)
            ).success()
            let json = try outcome.answer()
            #expect(json["schema"] as? String == "kvtool.load/1")
            #expect(json["database"] as? String == target)
            #expect(json["file"] as? String == "-")
            #expect(json["rows"] as? Int ?? 0 > 700)
            #expect(json["blobs"] as? Int == 1)
            #expect(json["dryRun"] as? Bool == false)
            #expect(json["resumedAfterLine"] as? Int == 0)
            #expect(json["leftOut"] as? [String] == [])
            #expect(try DumpedTables.rows(of: target) == rows)
            #expect(try DirectoryContents(target).names.allSatisfy { !$0.contains("kvtool") })
        }
        let text = try database.load(database.directory(DumpTests.names[0])).success().stdout
        let target = database.directory("new.cblite2")
        #expect(text.hasPrefix("Loaded 7") && text.hasSuffix(" rows and 1 blob into \(target)\n"))
    }

    @Test("only checks with --dry-run", arguments: DumpTests.names)
    func dryRun(_ form: String) throws {
        let file = try database.dump(form)
        let before = try DirectoryContents(database.directory.path).names
        let text = try database.load(file, "--dry-run").success().stdout
        #expect(text.hasPrefix("Checked 7") && text.hasSuffix(" rows and 1 blob\n"))
        let json = try database.load(file, "-n", "--json").success().answer()
        #expect(json["dryRun"] as? Bool == true)
        #expect(try DirectoryContents(database.directory.path).names == before)
        // An existing database does not matter.
        try Kvtool.run(["load", database.path, file, "-n"]).success()
    }

    @Test("keeps the UUIDs, or creates new ones and records the old ones")
    func uuids() throws {
        let file = try database.dump()
        try database.load(file).success()
        try database.load(file, "--new-uuid", into: "other.cblite2").success()
        func uuid(_ name: String, _ key: String) throws -> [String] {
            try SQLiteShell.rows(
                "\(database.directory(name))/db.sqlite3",
                "SELECT hex(body) FROM kv_info WHERE key='\(key)'")
        }
        for key in ["publicUUID", "privateUUID"] {
            let own = try uuid("people.cblite2", key)
            #expect(own.count == 1)
            #expect(try uuid("new.cblite2", key) == own)
            let new = try uuid("other.cblite2", key)
            #expect(new.count == 1 && new != own)
        }
        #expect(
            try uuid("other.cblite2", "previousPrivateUUID")
                == uuid("people.cblite2", "privateUUID"))
        func documents(_ rows: [String]) -> [String] { rows.filter { !$0.hasPrefix("kv_info|") } }
        let other = try DumpedTables.rows(of: database.directory("other.cblite2"))
        #expect(try documents(other) == documents(rows))
    }

    @Test("refuses a file that is not a dump, and a database that it did not create")
    func refusals() throws {
        let file = try database.dump()
        for (text, status) in [
            ("", 4), ("hello", 4), ("{\"_id\":\"a\"}\n", 4),
            (String(repeating: "\0", count: 2000), 4),
            ("{\"dump\":\"kvtool.dump/9\"}\n", 5), ("{\"dump\":\n", 5),
        ] {
            let other = try database.newFile("other", Data(text.utf8))
            try database.load(other).refusal(status: Int32(status))
        }
        try database.load(database.directory("none.dump")).refusal(status: 3)
        let before = try database.contents
        let complaint = try Kvtool.run(["load", database.path, file]).refusal(status: 6)
        #expect(
            complaint
                == "\(database.path) already exists and is not from an interrupted load; specify a "
                + "path that does not exist")
        #expect(try database.contents == before)
        #expect(!FileManager.default.fileExists(atPath: database.directory("new.cblite2")))
    }

    @Test("refuses invalid lines, with their numbers")
    func badLines() throws {
        let text = String(decoding: try SampleDatabase.bytes(database.dump()), as: UTF8.self)
        let header = text.split(separator: "\n").prefix(2).joined(separator: "\n")
        for (line, reason) in [
            ("x", "must come first"), ("[]", "it is not an object"),
            ("{}", "it is not a line of a dump"),
            (#"{"dump":"kvtool.dump/1","versioning":2}"#, "a second dump starts here"),
            (#"{"k":"a","zz":1}"#, "unknown property"), (#"{"k":1}"#, "has no key"),
            (#"{"k":"a","B":"?"}"#, "base64"), (#"{"k":"a","v":"0"}"#, "hexadecimal digits"),
            (#"{"k":"a","v":"0g"}"#, "hexadecimal"), (#"{"k":"a","n":2,"b":{}}"#, "document"),
            (#"{"data":"AAAA"}"#, "data without a blob"),
            (#"{"blob":"x","bytes":1,"pieces":1}"#, "digest or length"),
            (
                #"{"blob":"sha1-tsgOzj5esl4upx/NQogsyltg9fE=","bytes":-1,"pieces":-5}"#,
                "digest or length"
            ),
            (#"{"check":"00000000"}"#, "the checksum does not match"),
            (#"{"check":1}"#, "the checksum does not match"),
            (#"{"end":{"lines":1,"blobs":0,"crc32":"00000000"}}"#, "the checksum does not match"),
            (String(repeating: "[", count: 100_000), "levels of nesting"),
        ] {
            let file = try database.newFile("bad", Data("\(header)\n\(line)\n".utf8))
            for options in [["-n"], []] {
                let arguments = ["load", database.directory("new.cblite2"), file] + options
                let complaint = try Kvtool.run(arguments).refusal(status: 5)
                #expect(complaint.hasPrefix("\(file), line 3: "), "\(line.prefix(80))")
                #expect(complaint.contains(reason), "\(line.prefix(80))")
            }
        }
    }

    @Test(
        "finds a changed byte, reports the lines, and continues with an undamaged dump",
        arguments: 1...10 as ClosedRange<UInt64>)
    func changedByte(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let file = try database.dump()
        let whole = try SampleDatabase.bytes(file)
        var bytes = whole
        let place = 8 + random.below(bytes.count - 9)
        bytes[place] ^= 1 << UInt8(random.below(8))
        let line = whole[..<place].count { $0 == 0x0A } + 1
        let damaged = try database.newFile("damaged", bytes)
        for options in [["-n"], []] {
            let arguments = ["load", database.directory("new.cblite2"), damaged] + options
            let complaint = try Kvtool.run(arguments).refusal(status: 5)
            let told = try #require(complaint.firstMatch(of: /line ([0-9]+)/), "\(complaint)")
            let number = try #require(Int(told.1))
            // After it, and at most one checksum further.
            #expect((line...line + 130).contains(number), "seed \(seed): \(complaint), not \(line)")
        }
        try database.load(file).success()
        #expect(try loaded == rows)
    }

    @Test(
        "handles damage of any kind",
        arguments: 1...20 as ClosedRange<UInt64>, DumpTests.names)
    func randomDamage(_ seed: UInt64, _ form: String) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = try SampleDatabase.bytes(database.dump(form))
        for _ in 0..<random.pick([1, 2, 10, 1000]) {
            let place = random.below(bytes.count)
            switch random.below(4) {
            case 0: bytes.remove(at: bytes.startIndex + place)
            case 1: bytes.insert(UInt8(random.below(256)), at: bytes.startIndex + place)
            default: bytes[place] = UInt8(random.below(256))
            }
        }
        let file = try database.newFile("damaged", bytes)
        let outcome = try database.load(file)
        guard outcome.status != 0 else {
            // In an archive, only padding bytes are not covered.
            #expect(try loaded == rows, "seed \(seed)")
            return
        }
        let status = outcome.status
        #expect([4, 5].contains(status), "seed \(seed): \(outcome)")
        outcome.refusal()
    }
}
