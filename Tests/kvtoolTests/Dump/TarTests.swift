import Foundation
import SampleData
import StoreTestSupport
import Testing

@Suite("An archive of kvtool dump")
struct TarTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 300)
        let blob = try database.newFile("photo", Data((0..<70_000).map { UInt8($0 % 251) }))
        try Kvtool.run(["blob", "put", database.path, blob]).success()
    }

    static let hasTar: Bool = {
        if Command.path(of: "tar") != nil { return true }
        Command.reportMissing("there is no tar command")
        return false
    }()

    private func tar(_ arguments: String...) throws -> Command.Outcome {
        try Command.run(try #require(Command.path(of: "tar")), arguments).success()
    }

    @Test("is readable by tar: pieces of lines, blobs as files", .enabled(if: hasTar))
    func listed() throws {
        let file = try database.dump("people.tar")
        let names = try tar("tf", file).lines
        try #require(names.count == 3)
        #expect(names[0] == "dump/000001.ndjson")
        #expect(names[1].hasPrefix("dump/Attachments/") && names[1].hasSuffix(".blob"))
        #expect(names[2] == "dump/end.ndjson")
        _ = try tar("xf", file, "-C", database.directory.path)
        #expect(
            try SampleDatabase.bytes(database.directory(names[1]))
                == SampleDatabase.bytes(database.directory("photo")))
        let rows = try SampleDatabase.bytes(database.directory(names[0]))
        #expect(String(decoding: rows, as: UTF8.self).contains(#"{"k":"person-0001","#))
        // The format does not depend on the name.
        let other = database.directory("other")
        try database.run("dump", other, "--format", "tar").success()
        #expect(try SampleDatabase.bytes(other) == SampleDatabase.bytes(file))
    }

    @Test(
        "may be repacked, in other formats and with other files in it",
        .enabled(if: hasTar), arguments: ["ustar", "pax"])
    func repacked(_ form: String) throws {
        let file = try database.dump("people.tar")
        _ = try tar("xf", file, "-C", database.directory.path)
        let other = try database.newFile("readme", Data("text".utf8))
        try #require(!other.isEmpty)
        let again = database.directory("again.tar")
        _ = try tar(
            "cf", again, "--format=\(form)", "-C", database.directory.path, "readme",
            "dump/000001.ndjson", "dump/Attachments", "dump/end.ndjson")
        let outcome = try database.load(again).success()
        #expect(outcome.stdout.contains(" and 1 blob into "))
        let copy = database.directory("new.cblite2")
        #expect(try Kvtool.run(["export", copy]).success().lines == database.exported())
    }

    @Test("splits large dumps into several pieces")
    func pieces() throws {
        let pad = String(repeating: "x", count: 10_000)
        let large = try SampleDatabase(
            lines: (1000..<2000).map { #"{"_id":"\#($0)","x":"\#(pad)"}"# })
        let file = try large.dump("large.tar")
        let bytes = try SampleDatabase.bytes(file)
        #expect(bytes.range(of: Data("dump/000003.ndjson".utf8)) != nil)
        try large.load(file).success()
        let copy = large.directory("new.cblite2")
        #expect(try Kvtool.run(["export", copy]).success().lines == large.exported())
    }

    /// Recomputes the checksum of a header.
    private static func seal(_ bytes: inout Data, at header: Int) {
        for index in 148..<156 { bytes[header + index] = 0x20 }
        let sum = String(bytes[header..<header + 512].reduce(0) { $0 + Int($1) }, radix: 8)
        let digits = String(repeating: "0", count: 6 - sum.count) + sum
        for (index, digit) in digits.utf8.enumerated() { bytes[header + 148 + index] = digit }
        bytes[header + 154] = 0
    }

    @Test("is refused if a header is inconsistent")
    func sizes() throws {
        let whole = try SampleDatabase.bytes(database.dump("people.tar"))
        let huge = [[0x80, 0, 0, 0] + [UInt8](repeating: 0x7F, count: 8)]
        for size in huge + [
            [UInt8](repeating: 0xFF, count: 12), [UInt8](repeating: 0x37, count: 12),
            [0x80] + [UInt8](repeating: 0xFF, count: 11), Array("00000000000\0".utf8),
            Array("99999999999\0".utf8), [UInt8](repeating: 0, count: 12),
        ] {
            var bytes = whole
            bytes.replaceSubrange(124..<136, with: size)
            Self.seal(&bytes, at: 0)
            let outcome = try database.load(try database.newFile("bad.tar", bytes))
            let status = outcome.status
            #expect([4, 5].contains(status), "\(outcome)")
            outcome.refusal()
        }
    }

    @Test(
        "does not trap on damaged headers",
        arguments: 1...25 as ClosedRange<UInt64>)
    func headers(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bytes = try SampleDatabase.bytes(database.dump("people.tar"))
        let name = Data("dump/Attachments/".utf8)
        let second = try #require(bytes.range(of: name)).lowerBound
        let header = random.pick([0, second])
        for _ in 0..<4 {
            let place = random.pick([0, 3, 156, 257, 262, 345, 124 + random.below(12)])
            bytes[header + place] = random.pick([0, 0x20, 0x37, 0x78, 0x80, 0xFF])
        }
        Self.seal(&bytes, at: header)
        let outcome = try database.load(try database.newFile("bad.tar", bytes))
        guard outcome.status != 0 else { return }
        #expect([4, 5].contains(outcome.status), "seed \(seed): \(outcome)")
        outcome.refusal()
    }
}
