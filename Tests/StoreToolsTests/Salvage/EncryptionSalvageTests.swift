import DataFileCore
import EngineTestSupport
import Foundation
import SQLCore
import SQLPlus
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing

@Suite("Recovery from encrypted databases")
struct EncryptionSalvageTests {
    let fixture: EncryptionFixture

    init() throws {
        fixture = try EncryptionFixture()
    }

    private static let pageSize = 4096
    private static let photo = [UInt8](repeating: 7, count: 100_000)

    private var target: String { fixture.directory("saved.cblite2") }
    private var database: String { fixture.path + "/db.sqlite3" }

    private func salvage(_ path: String? = nil) throws -> SalvageReport {
        try Salvage(from: path ?? fixture.path, to: target, encryption: fixture.key).run()
    }

    /// Creates the database, with documents and a blob.
    private func makeWithBlob() throws -> Blob {
        try fixture.make(fixture.key)
        let file = try fixture.open(fixture.key)
        defer { file.close() }
        return try file.blobs.put(Self.photo)
    }

    /// The leaf pages of a table, in the order of its rows, each with the number of its rows.
    private func leaves(of table: String) throws -> [(page: Int, rows: Int)] {
        let context = try fixture.sqlite(fixture.key)
        defer { try? context.close() }
        return try context.selectAll(
            sql: "SELECT pageno, ncell FROM dbstat WHERE name = ? AND pagetype = 'leaf' "
                + "ORDER BY path",
            parameters: [.text(table)]
        ).map { (Int($0[0].longValue ?? 0), Int($0[1].longValue ?? 0)) }
    }

    private func damage(page: Int, at offset: Int = 2000) throws {
        try fixture.damage(database, at: (page - 1) * Self.pageSize + offset)
    }

    /// Checks that nothing was left at the target and beside it.
    private func expectNothingMade(_ others: [String] = []) throws {
        #expect(try fixture.names(fixture.directory.path) == ["test.cblite2"] + others)
    }

    /// The numbers of the recovered documents, in an intact database.
    private func saved() throws -> [Int] { try fixture.wholeNumbers(fixture.key, at: target) }

    @Test("without its first page the file yields everything in the other pages, including blobs")
    func firstPage() throws {
        let blob = try makeWithBlob()
        try damage(page: 1)
        let before = try fixture.contents(fixture.path)
        let error = storeError(.notADatabaseFile) { try fixture.open(fixture.key).close() }
        #expect(fixture.cause(error) == .wrongKeyOrNotADatabase)
        let report = try salvage()
        #expect(try saved() == Array(1...100))
        #expect(report.savedRecords >= 100)
        #expect(report.losses == [] && report.renewedInfo == [])
        #expect(report.unreadablePages == [1])
        let file = try fixture.open(fixture.key, .readOnly, at: target)
        #expect(try file.blobs.bytes(of: blob) == Self.photo)
        #expect(try fixture.contents(fixture.path) == before)
    }

    @Test("without its salt a file is lost, unless the key contains it")
    func salt() throws {
        try fixture.make(fixture.key)
        try damage(page: 1, at: 3)
        let error = storeError(.notADatabaseFile) { _ = try salvage() }
        #expect(fixture.cause(error) == .wrongKeyOrNotADatabase)
        try expectNothingMade()
        let path = fixture.directory("salted.cblite2")
        let key = try EncryptionKey(raw: (0..<48).map { UInt8($0) })
        let file = try fixture.open(key, .create, at: path)
        try fixture.save(1...60, in: file)
        file.close()
        var bytes = try Data(contentsOf: URL(filePath: path + "/db.sqlite3"))
        bytes.replaceSubrange(..<Self.pageSize, with: Data(repeating: 0xEE, count: Self.pageSize))
        try bytes.write(to: URL(filePath: path + "/db.sqlite3"))
        _ = try Salvage(from: path, to: target, encryption: key).run()
        #expect(try fixture.wholeNumbers(key, at: target) == Array(1...60))
    }

    @Test(
        "with one damaged page everything except its contents is recovered", arguments: [0, 5, -1])
    func onePage(index: Int) throws {
        let blob = try makeWithBlob()
        let leaves = try leaves(of: "kv_default")
        #expect(leaves.count > 10 && leaves.reduce(0) { $0 + $1.rows } == 100)
        let place = index < 0 ? leaves.count + index : index
        let first = leaves[..<place].reduce(1) { $0 + $1.rows }
        let lost = first..<first + leaves[place].rows
        #expect((1...12).contains(lost.count))
        try damage(page: leaves[place].page)
        let report = try salvage()
        #expect(try saved() == (1...100).filter { !lost.contains($0) })
        #expect(Set(report.losses.compactMap(\.key)) == Set(lost.map { "d\($0)" }))
        #expect(report.lossCount == lost.count)
        #expect(report.unreadablePages == [leaves[place].page])
        let file = try fixture.open(fixture.key, .readOnly, at: target)
        #expect(try file.blobs.bytes(of: blob) == Self.photo)
    }

    @Test("with another key it fails, the error names the file itself, and nothing is created")
    func wrongKey() throws {
        try fixture.make(fixture.key)
        let before = try fixture.contents(fixture.path)
        for isDamaged in [false, true] {
            if isDamaged { try damage(page: 1) }
            let error = storeError(.notADatabaseFile) {
                _ = try Salvage(from: fixture.path, to: target, encryption: EncryptionKey.random())
                    .run()
            }
            #expect(fixture.cause(error) == .wrongKeyOrNotADatabase)
            #expect(error?.message.hasPrefix(fixture.path + ": ") == true)
            #expect(error?.message.contains("saved") == false)
            try expectNothingMade()
        }
        try damage(page: 1)
        #expect(try fixture.contents(fixture.path) == before)
        _ = try salvage()
        #expect(try saved() == Array(1...100))
    }

    @Test("a key for a plaintext file is rejected, and nothing is created")
    func needlessKey() throws {
        try fixture.make(nil)
        let error = storeError(.notADatabaseFile) { _ = try salvage() }
        #expect(fixture.cause(error) == .notEncrypted)
        #expect(error?.message.hasPrefix(fixture.path + ": ") == true)
        try expectNothingMade()
    }

    @Test(
        "without a key an encrypted file is refused, and nothing is made",
        arguments: [false, true])
    func noKey(isDamaged: Bool) throws {
        try fixture.make(fixture.key)
        if isDamaged { try damage(page: 1) }
        let error = storeError(.notADatabaseFile) {
            _ = try Salvage(from: fixture.path, to: target).run()
        }
        #expect(fixture.cause(error) == .keyRequired)
        #expect(error?.message.contains(database) == true)
        #expect(error?.message.contains("open it with its key") == true)
        try expectNothingMade()
    }
}

// WALs that were left behind.
extension EncryptionSalvageTests {
    /// The files of a writer that has not checkpointed its WAL: documents 1 to 60 in one
    /// transaction, 61 in the last one.
    private func leftoverWAL() throws -> String {
        let file = try fixture.open(fixture.key, .create)
        defer { file.close() }
        try fixture.save(1...60, in: file)
        try fixture.save(61...61, in: file)
        let copy = try fixture.copyFiles(to: "left.cblite2")
        #expect(fixture.size(copy + "/db.sqlite3") <= Self.pageSize)
        #expect(fixture.size(copy + "/db.sqlite3-wal") > 10 * Self.pageSize)
        try FileManager.default.removeItem(atPath: copy + "/db.sqlite3-shm")
        return copy
    }

    @Test("contents of the WAL only are recovered")
    func logAlone() throws {
        let left = try leftoverWAL()
        let before = try fixture.contents(left)
        let report = try salvage(left)
        #expect(report.losses == [])
        #expect(try saved() == Array(1...61))
        let after = try fixture.contents(left)
        #expect(after["db.sqlite3"] == before["db.sqlite3"])
        #expect(after["db.sqlite3-wal"] == before["db.sqlite3-wal"])
    }

    @Test("contents of the WAL only are recovered without the first page of the file")
    func logWithoutFirstPage() throws {
        let left = try leftoverWAL()
        try fixture.damage(left + "/db.sqlite3", at: 2000)
        #expect(try salvage(left).losses == [])
        #expect(try saved() == Array(1...61))
    }

    @Test("contents of the WAL only are recovered although the file itself is empty")
    func logWithoutFile() throws {
        let left = try leftoverWAL()
        try Data().write(to: URL(filePath: left + "/db.sqlite3"))
        let before = try fixture.contents(left)
        #expect(try salvage(left).losses == [])
        #expect(try saved() == Array(1...61))
        #expect(try fixture.contents(left)["db.sqlite3-wal"] == before["db.sqlite3-wal"])
    }

    @Test("without a key a file fails although its contents are in the WAL, and nothing is created")
    func logWithoutKey() throws {
        let left = try leftoverWAL()
        let error = storeError(.notADatabaseFile) {
            _ = try Salvage(from: left, to: target).run()
        }
        #expect(fixture.cause(error) == .keyRequired)
        #expect(try !fixture.names(fixture.directory.path).contains("saved.cblite2"))
    }

    @Test(
        "a forged frame at the end of the WAL loses only its transaction",
        arguments: [false, true])
    func forgedFrame(isMended: Bool) throws {
        let left = try leftoverWAL()
        let wal = URL(filePath: left + "/db.sqlite3-wal")
        var bytes = try [UInt8](Data(contentsOf: wal))
        bytes[bytes.count - 1000] ^= 4
        if isMended { bytes.fixWAL(pageSize: Self.pageSize) }
        try Data(bytes).write(to: wal)
        let report = try salvage(left)
        #expect(report.losses == [] && report.sqliteFailure == nil)
        #expect(report.stores.allSatisfy { $0.foundInPages == 0 })
        #expect(try saved() == Array(1...60))
        #expect(try [UInt8](Data(contentsOf: wal)) == bytes)
    }

    @Test("the checksums that a forger corrects are SQLite's")
    func mendedLog() throws {
        let left = try leftoverWAL()
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: left + "/db.sqlite3-wal")))
        var mended = bytes
        mended.fixWAL(pageSize: Self.pageSize)
        #expect(mended == bytes)
        mended[mended.count - 1000] ^= 4
        let forged = mended
        mended.fixWAL(pageSize: Self.pageSize)
        #expect(mended != forged)
    }
}

// Blobs, whose key is a row of the database.
extension EncryptionSalvageTests {
    /// The loss that is reported if the key of the blobs is lost.
    private static let lostKey = "the key of the blobs is lost, so that none of them can be read"

    @Test("the blobs of an intact file can be read from the new one, and nothing is lost")
    func blobs() throws {
        let blob = try makeWithBlob()
        let report = try salvage()
        #expect(report.losses == [] && report.lossCount == 0)
        let file = try fixture.open(fixture.key, at: target)
        #expect(try file.blobs.bytes(of: blob) == Self.photo)
        #expect(try file.blobs.verifyAll().count == 1)
        #expect(try fixture.names(target).contains("Attachments"))
    }

    @Test("if the row with their key is lost, it is reported; the records are recovered")
    func lostBlobKey() throws {
        let blob = try makeWithBlob()
        let context = try fixture.sqlite(fixture.key)
        try context.exec(
            sql: "PRAGMA secure_delete = on; DELETE FROM kv_info WHERE key = 'blobKey'")
        #expect(context.changes == 1)
        try context.close()
        let report = try salvage()
        #expect(report.losses.map(\.reason) == [Self.lostKey])
        #expect(try saved() == Array(1...100))
        let file = try fixture.open(fixture.key, .readOnly, at: target)
        storeError { _ = try file.blobs.bytes(of: blob) }
        #expect(try fixture.contents(target + "/Attachments").count == 1)
    }

    @Test("if the page with their key is lost, it is reported; the records are recovered")
    func lostBlobKeyPage() throws {
        _ = try makeWithBlob()
        let leaves = try leaves(of: "kv_info")
        #expect(leaves.count == 1)
        try damage(page: leaves[0].page)
        let report = try salvage()
        #expect(report.losses.contains { $0.reason == Self.lostKey })
        #expect(try saved() == Array(1...100))
    }

    @Test("without blobs their key is not a loss")
    func noBlobs() throws {
        try fixture.make(fixture.key)
        let context = try fixture.sqlite(fixture.key)
        try context.exec(sql: "DELETE FROM kv_info WHERE key = 'blobKey'")
        try context.close()
        #expect(try salvage().losses == [])
        #expect(try saved() == Array(1...100))
    }
}

extension [UInt8] {
    private func bigEndian(_ place: Int) -> UInt32 {
        self[place..<place + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    private mutating func setChecksum(_ place: Int, _ sum: (UInt32, UInt32)) {
        for (offset, word) in [(0, sum.0), (4, sum.1)] {
            for index in 0..<4 {
                self[place + offset + index] = UInt8(
                    truncatingIfNeeded: word >> UInt32(24 - 8 * index))
            }
        }
    }

    private func adding(_ range: Range<Int>, to sum: (UInt32, UInt32)) -> (UInt32, UInt32) {
        let isBig = self[3] & 1 == 1
        var (first, second) = sum
        for place in stride(from: range.lowerBound, to: range.upperBound, by: 8) {
            let (one, two) = (bigEndian(place), bigEndian(place + 4))
            first = first &+ (isBig ? one : one.byteSwapped) &+ second
            second = second &+ (isBig ? two : two.byteSwapped) &+ first
        }
        return (first, second)
    }

    /// Corrects the checksums of a WAL's frames, which does not require the key.
    fileprivate mutating func fixWAL(pageSize: Int) {
        var sum = adding(0..<24, to: (0, 0))
        for place in stride(from: 32, through: count - 24 - pageSize, by: 24 + pageSize) {
            sum = adding(place..<place + 8, to: sum)
            sum = adding(place + 24..<place + 24 + pageSize, to: sum)
            setChecksum(place + 16, sum)
        }
    }
}
