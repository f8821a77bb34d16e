import Foundation
import StoreTestSupport
import Testing

@testable import KVToolCore

@Suite("kvtool load --dry-run")
struct LoadCheckTests {
    private let database: SampleDatabase
    private let lines: [String]

    init() throws {
        database = try SampleDatabase(people: 12)
        try database.run("mkcoll", "hr.staff").success()
        try database.run("mkindex", "byAge", "age").success()
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        try database.run("rm", "person-0001").success()
        let dump = try SampleDatabase.bytes(database.dump())
        lines = String(decoding: dump, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// The lines with correct checksums.
    private func checked(_ lines: [String]) -> Data {
        var (text, sum, blobs) = (Data(), CRC32(), 0)
        for (number, line) in lines.enumerated() {
            var line = line
            if line.hasPrefix(#"{"check":"#) { line = #"{"check":"\#(sum.text)"}"# }
            if line.hasPrefix(#"{"blob":"#) { blobs += 1 }
            if line.hasPrefix(#"{"end":"#) {
                line = #"{"end":{"lines":\#(number),"blobs":\#(blobs),"crc32":"\#(sum.text)"}}"#
            }
            let bytes = Data((line + "\n").utf8)
            bytes.withUnsafeBytes { sum.add($0) }
            text += bytes
        }
        return text
    }

    /// The status of a check and of a load, which must be the same.
    private func statuses(_ dump: Data) throws -> (check: Int32, load: Int32) {
        let file = try database.newFile("changed.dump", dump)
        let check = try database.load(file, "--dry-run")
        #expect(!FileManager.default.fileExists(atPath: database.directory("new.cblite2")))
        let load = try database.load(file)
        #expect(!check.isSignalled && !load.isSignalled, "\(check)\n\(load)")
        #expect(!check.stderr.contains(".store-work"), "\(check)")
        if load.status == 0 || load.status == 7 {
            try FileManager.default.removeItem(atPath: database.directory("new.cblite2"))
            #expect(check.stderr == load.stderr, "\(check)\n\(load)")
        } else {
            let same = [check.stderr, check.stderr.dropLast() + "; nothing was loaded\n"]
            #expect(same.contains(load.stderr), "\(check)\n\(load)")
        }
        return (check.status, load.status)
    }

    @Test(
        "finds the same errors as a load, in a dump with correct checksums",
        arguments: [
            (#"{"k":"","f":0}"#, 5), (#"{"k":"x","s":3,"f":0}"#, 0), (#"{"store":""}"#, 5),
            (#"{"store":"none"}"#, 0), (#"{"k":"x","s":100,"f":0,"v":"zz"}"#, 5),
            (#"{"k":"x","s":100,"f":1,"t":true}"#, 0), (#"{"k":"x","f":"a"}"#, 0),
            (#"{"index":{"name":"z","kind":0,"store":"default","expression":"=nnope("}}"#, 5),
            (#"{"index":{"name":"z","kind":0,"store":"none","expression":"=na"}}"#, 5),
            (#"{"index":{"name":"z","kind":9,"store":"default","expression":"=na"}}"#, 7),
            (#"{"index":{"name":"z","kind":2,"store":"default"}}"#, 7),
            (#"{"data":"AAAA"}"#, 5), (#"{}"#, 5), (#"{"k":"x"}"#, 0),
        ])
    func inserted(_ line: String, _ status: Int32) throws {
        let isIndex = line.hasPrefix(#"{"index""#)
        let place = try #require(
            lines.lastIndex { $0.hasPrefix(isIndex ? #"{"index""# : #"{"k":"person"#) })
        var changed = lines
        changed.insert(line, at: place + 1)
        let found = try statuses(checked(changed))
        #expect(found.check == status && found.load == status, "\(line): \(found)")
    }

    @Test("agrees with a load of dumps with changed, duplicated, swapped or missing lines")
    func random() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = SeededRandom(seed)
        for _ in 0..<40 {
            var changed = lines
            let (one, other) = (random.below(lines.count), random.below(lines.count))
            switch random.below(5) {
            case 0: changed.swapAt(one, other)
            case 1: changed.insert(changed[one], at: other)
            case 2: changed.remove(at: one)
            case 3: changed[one] = String(changed[one].prefix(random.below(changed[one].count)))
            default:
                var bytes = Array(changed[one].utf8)
                bytes[random.below(bytes.count)] = UInt8(ascii: "0") + UInt8(random.below(10))
                changed[one] = String(decoding: bytes, as: UTF8.self)
            }
            let isChecked = random.below(4) > 0
            let dump =
                isChecked ? checked(changed) : Data((changed.map { $0 + "\n" }.joined()).utf8)
            let found = try statuses(dump)
            #expect(found.check == found.load, "seed \(seed), \(found)")
        }
    }

    @Test("leaves no temporary files")
    func leftovers() throws {
        let directory = database.directory("tmp")
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false)
        for dump in [checked(lines), Data(checked(lines).dropLast(40))] {
            let file = try database.newFile("a.dump", dump)
            _ = try Kvtool.run(
                ["load", database.directory("new.cblite2"), file, "-n"],
                environment: ["TMPDIR": directory])
            #expect(try FileManager.default.contentsOfDirectory(atPath: directory) == [])
        }
    }
}

/// Random numbers from a seed.
private struct SeededRandom {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(bound, 1)))
    }
}
