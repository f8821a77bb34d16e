import DataFileCore
import Foundation
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Verifying a damaged database", .timeLimit(.minutes(20)))
struct VerificationDamageTests {
    private static let seed =
        ProcessInfo.processInfo.environment["STORE_SEED"].flatMap { UInt64($0) } ?? 20_261_122

    private func verify(
        _ path: String, _ options: VerificationOptions = VerificationOptions()
    ) throws -> VerificationReport {
        let file = try DataFile(path: path, options: DataFileOptions(access: .readOnly))
        defer { file.close() }
        return try file.verify(options)
    }

    /// The file with different content in one page.
    private func spoil(_ small: SmallPages, page: Int) throws -> String {
        var bytes = try small.bytes
        for index in ((page - 1) * 512)..<(page * 512) { bytes[index] = 0x5A }
        return try small.bundle("spoilt\(page)", bytes)
    }

    private func pages(of table: String, _ type: String, in path: String) throws -> [Int] {
        try SQLContext(path: path + "/db.sqlite3", flags: .readWrite).selectAll(
            sql: "SELECT pageno FROM dbstat WHERE name=? AND pagetype=? ORDER BY pageno",
            parameters: [.text(table), .text(type)]
        ).compactMap { $0[0].longValue.map { Int($0) } }
    }

    @Test("an unreadable leaf affects its own rows only, and all others are checked")
    func leaf() throws {
        let small = try SmallPages()
        let whole = try verify(small.path)
        #expect(whole.found == [], "\(whole.findings.map(\.message))")
        let rows = try #require(whole.stores.first { $0.name == .default }).rows
        let onPages = try small.pagesOfRows()
        let leaves = try pages(of: "kv_default", "leaf", in: small.path)
        for page in [leaves[0], leaves[leaves.count / 2], leaves[leaves.count - 1]] {
            let lost = onPages.count { $0.row.store == .default && $0.pages.contains(page) }
            let report = try verify(spoil(small, page: page))
            #expect(!report.isIntact)
            #expect(report.findings.contains { $0.page == page && $0.store == .default })
            #expect(report.found.contains { $0.kind == .unreadableRows && $0.store == "default" })
            let store = try #require(report.stores.first { $0.name == .default })
            #expect(store.rows == rows - lost, "page \(page)")
            #expect(
                report.stores.first { $0.name != .default && $0.name.isCollection }?.rows
                    == whole.stores.first { $0.name != .default && $0.name.isCollection }?.rows)
        }
    }

    @Test("a body on an unreadable page is reported with the key of its document")
    func overflow() throws {
        let small = try SmallPages()
        let page = try #require(try pages(of: "kv_default", "overflow", in: small.path).first)
        let lost = try small.pagesOfRows().filter { $0.pages.contains(page) }
        #expect(lost.count == 1)
        // Zeros end the overflow chain too early.
        var bytes = try small.bytes
        for index in ((page - 1) * 512)..<(page * 512) { bytes[index] = 0 }
        let report = try verify(try small.bundle("overflow", bytes))
        let keys = report.findings.filter { $0.key != nil }.map(\.key)
        #expect(keys.allSatisfy { $0 == lost[0].row.key })
        #expect(report.errors > 0)
    }

    @Test("an index on an unreadable table does not prevent checking the rows")
    func index() throws {
        let small = try SmallPages()
        let index = "sqlite_autoindex_kv_default_1"
        let page = try #require(try pages(of: index, "leaf", in: small.path).last)
        let report = try verify(spoil(small, page: page))
        #expect(report.findings.contains { $0.page == page && $0.index == index })
        let whole = try verify(small.path)
        #expect(
            report.stores.first { $0.name == .default }?.rows
                == whole.stores.first { $0.name == .default }?.rows)
        #expect(report.unchecked.contains { $0.subject.contains("occurs twice") })
    }

    private func damage(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
        for _ in 0...random.below(8) {
            let start = random.below(bytes.count / 512) * 512
            switch random.below(5) {
            case 0: for index in 0..<512 { bytes[start + index] = 0 }
            case 1: for index in 0..<512 { bytes[start + index] = UInt8(random.below(256)) }
            case 2:
                let place = start + random.below(500)
                for index in place..<(place + 12) { bytes[index] = UInt8(random.below(256)) }
            case 3: bytes[start + random.below(16)] = UInt8(random.below(256))
            default:
                for _ in 0...random.below(5) {
                    bytes[start + random.below(512)] ^= 1 << UInt8(random.below(8))
                }
            }
        }
        if random.below(20) == 0 { bytes.removeLast(random.below(bytes.count / 4)) }
    }

    @Test("never traps, and always terminates: 300 rounds of random damage")
    func rounds() throws {
        print("VerificationDamageTests: STORE_SEED=\(Self.seed)")
        let small = try SmallPages()
        let whole = try small.bytes
        var slowest = 0.0
        var opened = 0
        var intact = 0
        for round in 0..<300 {
            var random = SeededGenerator(seed: Self.seed &+ UInt64(round))
            var bytes = whole
            damage(&bytes, &random)
            let path = try small.bundle("damaged", bytes)
            let options: [VerificationOptions] = [.init(), .init(level: .quick), .init(sample: 7)]
            for options in options {
                // Some files cannot be opened; all others are verified completely.
                guard
                    let file = try? DataFile(
                        path: path, options: DataFileOptions(access: .readOnly))
                else { continue }
                opened += 1
                slowest = max(
                    slowest,
                    try processorSeconds {
                        intact += try file.verify(options).isIntact ? 1 : 0
                    })
                file.close()
            }
        }
        print("VerificationDamageTests: \(opened) opened, \(intact) intact, slowest \(slowest) s")
        #expect(opened > 300 && intact < opened)
        #expect(slowest < 30)
    }
}
