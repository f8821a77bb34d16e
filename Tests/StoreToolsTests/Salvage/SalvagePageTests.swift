import Foundation
import SQLCore
import StoreFormat
import StoreTestSupport
import Testing
@testable import StoreTools

@Suite("Pages of damaged files", .timeLimit(.minutes(20)))
struct SalvagePageTests {
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func file(_ bytes: [UInt8], _ name: String = "file") throws -> RawFile {
        try Data(bytes).write(to: URL(filePath: directory(name)))
        return try #require(RawFile(directory(name)))
    }

    @Test(
        "have the size that their contents show, if the header does not specify it",
        arguments: [512, 1024, 4096, 8192, 65_536])
    func geometry(size: Int) throws {
        let path = directory("sized.sqlite3")
        let context = try SQLContext(path: path)
        try context.exec(
            sql: """
                PRAGMA page_size=\(size); CREATE TABLE t (key TEXT PRIMARY KEY, body BLOB);
                WITH r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < 3000)
                INSERT INTO t SELECT 'key' || n, randomblob(n % 150) FROM r
                """)
        try context.close()
        var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        let whole = PageGeometry(try file(bytes), walPageSize: nil)
        #expect(whole.pageSize == size && whole.reserved == 0)
        for index in 0..<100 { bytes[index] = 0xFF }
        #expect(PageGeometry(try file(bytes), walPageSize: nil) == whole)
        // A valid but incorrect header is not used.
        bytes[16] = size == 4096 ? 4 : 16
        bytes[17] = 0
        #expect(PageGeometry(try file(bytes), walPageSize: nil) == whole)
    }

    @Test("of a missing or too short file do not exist")
    func empty() throws {
        for count in [0, 1, 99, 511, 512] {
            let pages = RawPages(try file(Array(repeating: 0, count: count)), wal: nil)
            #expect(pages.count <= 1 && pages.page(2) == nil && pages.page(0) == nil)
            #expect(pages.page(.max) == nil && pages.page(.min) == nil)
            var report = SalvageReport()
            try PageSalvage(pages).run(&report) { _ in Issue.record("a row in nothing") }
        }
    }

    /// A WAL with one committed frame and valid checksums.
    private func wal(page: UInt32, pageCount: UInt32, isSound: Bool = true) -> [UInt8] {
        func bytes(_ numbers: [UInt32]) -> [UInt8] {
            numbers.flatMap { number in
                (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) }
            }
        }
        var sums: (UInt32, UInt32) = (0, 0)
        func add(_ part: [UInt8]) {
            for start in stride(from: 0, to: part.count, by: 8) {
                let words = (0..<2).map { word in
                    part[(start + word * 4)..<(start + word * 4 + 4)].reduce(UInt32(0)) {
                        $0 << 8 | UInt32($1)
                    }
                }
                sums.0 &+= words[0] &+ sums.1
                sums.1 &+= words[1] &+ sums.0
            }
        }
        let header = bytes([0x377F_0683, 3_007_000, 512, 0, 7, 8])
        add(header)
        var wal = header + bytes([sums.0, sums.1])
        let frame = bytes([page, pageCount])
        let content = Array(repeating: UInt8(0x2A), count: 512)
        add(frame)
        add(content)
        if !isSound { sums.1 ^= 1 }
        wal += frame + bytes([7, 8, sums.0, sums.1]) + content
        return wal
    }

    @Test("are read from the WAL if it has them, with valid checksums")
    func frames() throws {
        let database = try file(Array(repeating: 1, count: 512 * 4))
        for isSound in [true, false] {
            let wal = try file(wal(page: 2, pageCount: 3, isSound: isSound), "log")
            let pages = RawPages(database, wal: wal)
            #expect(pages.count == (isSound ? 3 : 4))
            #expect(pages.page(2)?.first == (isSound ? 0x2A : 1))
            #expect(pages.page(3)?.first == 1)
        }
    }

    @Test("are limited in number, whatever a forged WAL specifies")
    func forgedLog() throws {
        let database = try file(Array(repeating: 1, count: 512 * 4))
        let wal = try file(wal(page: 0xFFFF_FFF0, pageCount: 0xFFFF_FFF0), "log")
        let pages = RawPages(database, wal: wal)
        #expect(pages.count <= 68 && pages.page(0xFFFF_FFF0) == nil)
    }

    @Test(
        "hold records whose columns are identified by their types",
        arguments: [
            ([.text, .null, .integer, .blob, .blob], true),
            ([.text, .integer, .integer, .blob, .blob, .integer, .blob], true),
            ([.text, .integer, .integer, .blob, .blob, .blob, .integer], true),
            ([.text, .integer, .null, .null, .null, .null, .null], true),
            ([.text, .integer, .integer, .blob, .blob, .blob, .blob], false),
            ([.text, .integer, .integer, .blob, .blob, .integer, .integer], false),
            ([.integer, .integer, .integer, .blob, .blob], false),
            ([.text, .integer, .integer, .blob], false),
            ([.text, .text, .text, .integer, .text], false),
            ([.text, .integer, .text, .blob, .blob, .null, .null], false),
        ] as [([PageRecord.Kind], Bool)])
    func shapes(kinds: [PageRecord.Kind], isRow: Bool) throws {
        let serials: [PageRecord.Kind: UInt8] = [
            .null: 0, .integer: 1, .blob: 14, .text: 15, .double: 7,
        ]
        let header = kinds.compactMap { serials[$0] }
        let size = kinds.count { $0 != .null }
        let bytes = [UInt8(header.count + 1)] + header + Array(repeating: 0x61, count: size)
        let record = try #require(PageRecord(bytes, size: bytes.count))
        #expect(record.isStoreRow == isRow)
        #expect((record.isStoreRow ? record.storeRow?.key : nil) == (isRow ? "a" : nil))
        #expect(PageRecord(bytes, size: bytes.count + 1) == nil)
        #expect(PageRecord(Array(bytes.dropLast(size + 1)), size: bytes.count) == nil)
    }

    @Test("do not cause endless loops if their chains are circular")
    func circles() throws {
        let small = try SmallPages()
        let long = try #require(try small.pagesOfRows().first { $0.pages.count > 2 })
        var bytes = try small.bytes
        for page in long.pages {
            // Each overflow page refers to itself.
            guard bytes[(page - 1) * 512] == 0 else { continue }
            for (index, byte) in [0, 0, UInt8(page >> 8), UInt8(page & 0xFF)].enumerated() {
                bytes[(page - 1) * 512 + index] = byte
            }
        }
        let path = try small.bundle("circles", bytes)
        let report = try Salvage(from: path, to: directory("saved.cblite2")).run()
        #expect(report.losses.compactMap(\.key) == [long.row.key])
    }

    @Test("are not read after the task is cancelled, and nothing is left")
    func cancelled() async throws {
        let small = try SmallPages()
        let (path, target) = (small.path, directory("saved.cblite2"))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try Salvage(from: path, to: target).run()
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == [])
    }
}
