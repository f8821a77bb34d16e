import DataFileCore
import Foundation
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Recovery from files with random damage", .timeLimit(.minutes(20)))
struct SalvageFuzzTests {
    private static let seed =
        ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) } ?? 20_261_121

    /// Damages some pages of a file, and returns their numbers.
    private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) -> Set<Int> {
        var pages: Set<Int> = []
        for _ in 0...random.below(8) {
            let page = random.below(bytes.count / 512)
            pages.insert(page + 1)
            let start = page * 512
            switch random.below(5) {
            case 0: for index in 0..<512 { bytes[start + index] = 0 }
            case 1: for index in 0..<512 { bytes[start + index] = UInt8(random.below(256)) }
            case 2:
                let place = start + random.below(500)
                for index in place..<(place + 12) { bytes[index] = UInt8(random.below(256)) }
            case 3:
                // The header of a B-tree page, which has the most influence.
                bytes[start + random.below(16)] = UInt8(random.below(256))
            default:
                for _ in 0...random.below(5) {
                    bytes[start + random.below(512)] ^= 1 << UInt8(random.below(8))
                }
            }
        }
        guard random.below(20) == 0 else { return pages }
        let kept = bytes.count - random.below(bytes.count / 4)
        pages.formUnion((kept / 512 + 1)...(bytes.count / 512))
        bytes.removeLast(bytes.count - kept)
        return pages
    }

    @Test(
        "recovers every row whose pages are intact, never traps and always terminates: 500 rounds")
    func rounds() throws {
        print("SalvageFuzzTests: STORE_SEED=\(Self.seed)")
        let small = try SmallPages()
        let rows = try small.pagesOfRows()
        #expect(rows.count == (try StoredRow.all(in: small.path)).count)
        let whole = try small.bytes
        let target = small.directory("saved.cblite2")
        var slowest = 0.0
        for round in 0..<500 {
            var random = SeededGenerator(seed: Self.seed &+ UInt64(round))
            var bytes = whole
            let damaged = damage(&bytes, &random)
            let path = try small.bundle("damaged", bytes)
            var report = SalvageReport()
            slowest = max(
                slowest, try processorSeconds { report = try Salvage(from: path, to: target).run() }
            )
            let saved = Set(try StoredRow.all(in: target).map { Content($0) })
            let missing = rows.filter { row in
                row.pages.isDisjoint(with: damaged) && row.row.key != InfoKey.unmovedTombstones
                    && !saved.contains(Content(row.row))
            }
            #expect(
                missing.isEmpty,
                "round \(round): \(missing.map(\.row)), \(damaged.sorted()), \(report.losses)")
            #expect(try DataFile(path: target).integrityCheck().isIntact)
            try FileManager.default.removeItem(atPath: target)
        }
        print("SalvageFuzzTests: slowest round \(slowest) s")
        #expect(slowest < 10)
        let left = try FileManager.default.contentsOfDirectory(atPath: small.directory.path)
        #expect(left.sorted() == ["damaged.cblite2", "small.cblite2"])
    }

    /// If the schema table is lost, the name of a row's store can be, too. If damage has given a
    /// row the sequence of another one, one of them gets a new sequence.
    private struct Content: Hashable {
        let key: String
        let version: [UInt8]?
        let body: [UInt8]?

        init(_ row: StoredRow) {
            key = row.key
            version = row.version
            body = row.body
        }
    }

    @Test("from bytes that are not a database terminates, with an empty result")
    func garbage() throws {
        let directory = try TemporaryDirectory()
        for round in 0..<20 {
            var random = SeededGenerator(seed: Self.seed &+ UInt64(1000 + round))
            let path = directory("garbage.cblite2")
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            let kinds: [UInt8] = [2, 5, 10, 13, 0, 255]
            let kind = random.pick(kinds)
            let bytes = (0..<random.below(40_000)).map { index in
                index % 512 == 0 ? kind : UInt8(random.below(256))
            }
            try Data(bytes).write(to: URL(filePath: path + "/db.sqlite3"))
            do {
                let report = try Salvage(from: path, to: directory("saved.cblite2")).run()
                #expect(report.savedRecords <= 4)
                try DataFile.delete(path: directory("saved.cblite2"))
            } catch let error as StoreError where error.has(.notADatabaseFile) {
                // An encrypted database without its key looks the same.
                #expect(!FileManager.default.fileExists(atPath: directory("saved.cblite2")))
            }
            try DataFile.delete(path: path)
        }
    }
}
