import DataFileCore
import EngineTestSupport
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

/// Files that were truncated after a page, and names with zeros in them.
@Suite("Recovery from the rest of a file", .timeLimit(.minutes(20)))
struct SalvageSmallFileTests {
    let fixture: EngineFixture
    let store = KeyStore(.default)

    init() throws {
        fixture = try EngineFixture()
        let file = try fixture.open()
        try file.write { _ = try store.set("a", in: $0) }
        file.close()
    }

    /// Recovers a file consisting of the fixture's first bytes, after a change.
    private func salvage(bytes count: Int?, _ change: (inout [UInt8]) -> Void) throws
        -> SalvageReport
    {
        let database = fixture.path + "/db.sqlite3"
        let size = count ?? FileSystem.size(database)
        var bytes = try #require(RawFile(database)?.read(at: 0, count: size))
        change(&bytes)
        let broken = BundlePath(fixture.directory("broken.cblite2"))
        try FileSystem.requireNewDirectory(broken.directory)
        var rest = bytes[...]
        try FileSystem.makeFile(broken.database) { buffer in
            let part = rest.prefix(buffer.count)
            buffer.copyBytes(from: part)
            rest = rest.dropFirst(part.count)
            return part.count
        }
        return try Salvage(from: broken.directory, to: fixture.directory("saved.cblite2")).run()
    }

    @Test("one page whose freelist begins on another page")
    func freeList() throws {
        let report = try salvage(bytes: 4096) { bytes in
            bytes[35] = 9
            bytes[39] = 1
        }
        #expect(report.stores.map(\.liveRecords) == [0, 4])
    }

    @Test("one page that refers to another")
    func interior() throws {
        let report = try salvage(bytes: 4096) { bytes in
            // An interior page without cells, and 2 as its rightmost child.
            for (place, byte) in [(100, 5), (103, 0), (104, 0), (108, 0), (109, 0), (110, 0)] {
                bytes[place] = UInt8(byte)
            }
            bytes[111] = 2
        }
        #expect(report.stores.map(\.liveRecords) == [0, 4])
    }

    @Test("reports the number of pages that were cut off, and none of an intact file")
    func missingPages() throws {
        let pages = FileSystem.size(fixture.path + "/db.sqlite3") / 4096
        #expect(try salvage(bytes: 5 * 4096 + 7) { _ in }.missingPages == pages - 5)
        try DataFile.delete(path: fixture.directory("broken.cblite2"))
        try DataFile.delete(path: fixture.directory("saved.cblite2"))
        #expect(try salvage(bytes: nil) { _ in }.missingPages == 0)
    }

    @Test("rows of a table whose name contains a zero byte")
    func zeroInName() throws {
        let report = try salvage(bytes: nil) { bytes in
            let name = Array("kv_default".utf8)
            for place in 100..<4086 where bytes[place..<(place + 10)].elementsEqual(name) {
                bytes[place + 5] = 0
            }
        }
        #expect(report.stores.reduce(0) { $0 + $1.liveRecords } >= 1)
    }
}
