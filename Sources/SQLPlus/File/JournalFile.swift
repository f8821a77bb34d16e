internal import SQLCore

/// The rollback journal of an encrypted database: its pages are encrypted as in the database, its
/// checksums are over the encrypted pages, as SQLCipher has them.
final class JournalFile: SQLFile {
    unowned let database: DatabaseFile
    /// The page number that was written last, and where its page begins.
    private var number: (offset: Int64, value: UInt32)?
    /// Where the page ends that was read or written last, and what its encryption adds to its
    /// checksum.
    private var checksum: (offset: Int64, difference: UInt32)?
    /// Where the header is that was read last.
    private var header: Int64 = 0
    private let record = PageBuffer()

    init(_ opening: SQLFileOpening, _ database: DatabaseFile) {
        self.database = database
        super.init(opening)
    }

    private var pageSize: Int { database.pageSize }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        database.isEncrypted
            ? writeEncrypted(bytes, at: offset) : super.write(bytes, at: offset)
    }

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        guard database.isEncrypted else { return super.read(into: buffer, at: offset) }
        do {
            if buffer.count == pageSize, pageSize > 0, let cipher = try database.requireCipher() {
                return try readPage(cipher, into: buffer, at: offset)
            }
        } catch {
            return database.fail(error)
        }
        let code = super.read(into: buffer, at: offset)
        guard code == .ok else { return code }
        if buffer.elementsEqual(JournalLayout.magic) { return readHeader(at: offset) }
        if let checksum, checksum.offset == offset, buffer.count == JournalLayout.word {
            let value = UnsafeRawBufferPointer(buffer).bigEndian(at: 0)
            buffer.setBigEndian(value &- checksum.difference, at: 0)
        }
        return code
    }

    /// The header of a journal tells the size of the pages, before any of them is read.
    private func readHeader(at offset: Int64) -> SQLResultCode {
        header = offset
        guard offset == 0 else { return .ok }
        let bytes = record.prefix(JournalLayout.header)
        let code = super.read(into: bytes, at: 0)
        // What is shorter, SQLite does not take for a header either.
        guard code == .ok else { return code == .shortRead ? .ok : code }
        let fields = UnsafeRawBufferPointer(bytes)
        if pageSize == 0 {
            database.adopt(pageSize: Int(fields.bigEndian(at: JournalLayout.pageSize)))
        }
        do {
            return try checkGrowth(to: Int(fields.bigEndian(at: JournalLayout.pageCount)))
        } catch {
            return database.fail(error)
        }
    }

    /// Checks how far a journal makes the database grow: all pages up to there are written, and
    /// anybody can write a number.
    ///
    /// A transaction that has shortened the file has the pages in its journal that were dropped; if
    /// those were free, at least the pages that say so of them (auto-vacuum), in five bytes each.
    private func checkGrowth(to pages: Int) throws(EncryptionError) -> SQLResultCode {
        guard pageSize > 0 else { return .ok }
        var length: Int64 = 0
        let code = super.size(&length)
        guard code == .ok else { return code }
        let records = Int(length) / JournalLayout.recordSize(pageSize)
        let there = Int(try database.length() / Int64(pageSize))
        guard pages - there <= Self.growthOfAny + records * (pageSize / 5 + 1) else {
            throw .tampered(page: pages)
        }
        return .ok
    }

    /// Pages by which any journal may make a database grow.
    private static let growthOfAny = 64

    private func readPage(
        _ cipher: PageCipher, into page: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        let bytes = record.prefix(JournalLayout.recordSize(pageSize))
        let code = super.read(into: bytes, at: offset - Int64(JournalLayout.word))
        guard code == .ok || code == .shortRead else { return code }
        let whole = UnsafeRawBufferPointer(bytes)
        let place = JournalLayout.word..<JournalLayout.word + pageSize
        let sealed = whole.part(place)
        let number = whole.bigEndian(at: 0)
        let isOpen = try cipher.open(bytes.part(place), number: number, into: page)
        guard isOpen || code == .shortRead || !isWhole(whole, sealed) else {
            throw number == 1 || isFirstPageForeign(cipher)
                ? .wrongKeyOrNotADatabase : .tampered(page: Int(number))
        }
        // A page that is not whole keeps a checksum that SQLite does not take: the journal ends.
        if !isOpen { page.copyMemory(from: sealed) }
        checksum = (
            offset + Int64(pageSize),
            isOpen
                ? JournalLayout.sum(sealed) &- JournalLayout.sum(UnsafeRawBufferPointer(page)) : 0
        )
        return code == .shortRead ? .ok : code
    }

    /// Whether the first page of the database does not belong to the key either: then the key is
    /// wrong, and no page was changed.
    private func isFirstPageForeign(_ cipher: PageCipher) -> Bool {
        let page = PageBuffer()
        let bytes = page.prefix(pageSize)
        return withExtendedLifetime(page) {
            database.readSealed(1, into: bytes) == .ok && !cipher.isAuthentic(bytes, number: 1)
        }
    }

    /// Whether a record has the checksum that it was written with.
    private func isWhole(_ record: UnsafeRawBufferPointer, _ page: UnsafeRawBufferPointer) -> Bool {
        let found = record.bigEndian(at: JournalLayout.word + page.count)
        return withUnsafeTemporaryAllocation(byteCount: JournalLayout.word, alignment: 4) {
            guard super.read(into: $0, at: header + Int64(JournalLayout.nonce)) == .ok else {
                return false
            }
            return UnsafeRawBufferPointer($0).bigEndian(at: 0) &+ JournalLayout.sum(page) == found
        }
    }
}

// Writing.
extension JournalFile {
    private func writeEncrypted(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        do {
            if bytes.count == pageSize, pageSize > 0, let cipher = try database.requireCipher() {
                return try writePage(cipher, bytes, at: offset)
            }
        } catch {
            return database.fail(error)
        }
        // What looks like a page of another size must not pass as it is.
        guard !PageLayout.isPageSize(bytes.count) else { return database.fail(.noSpaceInPages) }
        guard bytes.count == JournalLayout.word else { return super.write(bytes, at: offset) }
        let value = bytes.bigEndian(at: 0)
        guard let checksum, checksum.offset == offset else {
            number = (offset + Int64(JournalLayout.word), value)
            return super.write(bytes, at: offset)
        }
        return withUnsafeTemporaryAllocation(byteCount: JournalLayout.word, alignment: 4) {
            $0.setBigEndian(value &+ checksum.difference, at: 0)
            return super.write(UnsafeRawBufferPointer($0), at: offset)
        }
    }

    private func writePage(
        _ cipher: PageCipher, _ page: UnsafeRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard let number, number.offset == offset else { return .writeFailed }
        let sealed = record.prefix(pageSize)
        try cipher.seal(page, number: number.value, into: sealed)
        let bytes = UnsafeRawBufferPointer(sealed)
        checksum = (
            offset + Int64(pageSize), JournalLayout.sum(bytes) &- JournalLayout.sum(page)
        )
        return super.write(bytes, at: offset)
    }
}

/// Where what is in a rollback journal: headers of a sector each, and behind each of them records
/// of page number, page and checksum (SQLite's file format, 3).
enum JournalLayout {
    static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The fields of a header.
    static let header = 28
    static let recordCount = 8
    static let nonce = 12
    static let pageCount = 16
    static let sectorSize = 20
    static let pageSize = 24
    /// A page number, or a checksum.
    static let word = 4
    /// The size of a header where a write leaves the bytes around it alone.
    static let sector = 512

    static func recordSize(_ pageSize: Int) -> Int { word + pageSize + word }

    /// What a page adds to the nonce of its journal: every 200th byte from its end on.
    static func sum(_ page: UnsafeRawBufferPointer) -> UInt32 {
        var sum: UInt32 = 0
        var place = page.count - 200
        while place > 0 {
            sum &+= UInt32(page[place])
            place -= 200
        }
        return sum
    }
}
