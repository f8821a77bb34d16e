import DataFileCore
import FleeceLite
import StoreFormat
import StoreTestSupport
import Testing

/// Documents larger than the limit of replication (20 MB), which a file may contain.
@Suite("Large documents", .timeLimit(.minutes(20)), .serialized)
struct LargeDocumentTests {
    let directory: TemporaryDirectory
    let people = DocumentCollection(.default)

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let megabytes = 25

    /// 25 MB in long and short values.
    private func write(_ encoder: inout FleeceEncoder) throws {
        encoder.beginDictionary()
        try encoder.writeKey("long")
        encoder.beginArray()
        for number in 0..<Self.megabytes - 1 {
            let letter = UInt8(ascii: "a") + UInt8(number)
            encoder.writeString(
                String(decoding: [UInt8](repeating: letter, count: 1 << 20), as: UTF8.self))
        }
        try encoder.endArray()
        try encoder.writeKey("short")
        encoder.beginArray()
        for number in 0..<100_000 { encoder.writeString("a short text \(number)") }
        try encoder.endArray()
        try encoder.endDictionary()
    }

    private func timed(_ what: String, _ versioning: Versioning, _ work: () throws -> Void) throws {
        let clock = ContinuousClock()
        let time = try clock.measure(work)
        let memory = ProcessMemory.peakMegabytes
        print("\(Self.megabytes) MB, \(versioning), \(what): \(time), \(memory) MB at most so far")
    }

    @Test(
        "of 25 MB are saved, read back, changed and deleted",
        arguments: [Versioning.treesInExtra, .versionVectors])
    func largeDocument(_ versioning: Versioning) throws {
        var options = DataFileOptions(access: .create)
        options.versioning = versioning
        let path = directory("large.cblite2")
        let file = try DataFile(path: path, options: options)
        try timed("save", versioning) {
            _ = try file.write { try people.save("large", in: $0, write) }
        }
        file.close()

        let reopened = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
        try timed("read", versioning) {
            let document = try #require(try reopened.read { try people.get("large", in: $0) })
            let long = try #require(document["long"]?.array)
            #expect(long.count == Self.megabytes - 1)
            #expect(long[at: 23]?.string?.utf8.count == 1 << 20)
            #expect(long[at: 23]?.string?.utf8.allSatisfy { $0 == UInt8(ascii: "x") } == true)
            #expect(document["short"]?.array?[at: 99_999]?.string == "a short text 99999")
        }
        try timed("change", versioning) {
            var copy = try #require(
                try reopened.read { try people.get("large", in: $0) }
            ).mutableCopy()
            copy["edited"] = true
            #expect(try reopened.write { try people.save(&copy, in: $0) }.saved != nil)
        }
        try reopened.read { snapshot in
            let document = try #require(try people.get("large", in: snapshot))
            #expect(document["edited"]?.bool == true)
            #expect(document["short"]?.array?.count == 100_000)
            #expect(document["long"]?.array?[at: 0]?.string?.hasPrefix("aaaa") == true)
        }
        try timed("delete", versioning) {
            let deleted = try reopened.write { try people.delete("large", in: $0) }
            #expect(deleted != nil)
        }
        #expect(try reopened.read { try people.get("large", in: $0) } == nil)
    }
}
