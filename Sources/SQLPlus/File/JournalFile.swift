internal import SQLCore

/// The rollback journal of an encrypted database: its pages are encrypted as in the database, and
/// its checksums cover the encrypted pages, as in SQLCipher.
final class JournalFile: SQLFile {
    unowned let database: DatabaseFile
    /// The page number that was written last, and the offset of its page.
    private var number: (offset: Int64, value: UInt32)?
    /// The end of the page that was read or written last, and the difference between the checksums
    /// of the encrypted and the plaintext page.
    private var checksum: (offset: Int64, difference: UInt32)?
    /// The offset of the header that was read last.
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

    /// Reads the page size from the header of a journal before any page is read.
    private func readHeader(at offset: Int64) -> SQLResultCode {
        header = offset
        guard offset == 0 else { return .ok }
        let bytes = record.prefix(JournalLayout.header)
        let code = super.read(into: bytes, at: 0)
        // SQLite does not accept a shorter header either.
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

    /// Limits how much the playback of a journal can grow the database: SQLite writes all pages up
    /// to the page count in the header, which is not authenticated.
    ///
    /// The journal of a transaction that has shortened the file contains the removed pages or, if
    /// they were free, at least the pages that list them (auto-vacuum), with five bytes for each.
    private func checkGrowth(to pages: Int) throws(EncryptionError) -> SQLResultCode {
        guard pageSize > 0 else { return .ok }
        var length: Int64 = 0
        let code = super.size(&length)
        guard code == .ok else { return code }
        let records = Int(length) / JournalLayout.recordSize(pageSize)
        let existing = Int(try database.length() / Int64(pageSize))
        guard pages - existing <= Self.growthOfAny + records * (pageSize / 5 + 1) else {
            throw .tampered(page: pages)
        }
        return .ok
    }

    /// The number of pages by which any journal may grow a database.
    private static let growthOfAny = 64

    private func readPage(
        _ cipher: PageCipher, into page: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        let bytes = record.prefix(JournalLayout.recordSize(pageSize))
        let code = super.read(into: bytes, at: offset - Int64(JournalLayout.word))
        guard code == .ok || code == .shortRead else { return code }
        let whole = UnsafeRawBufferPointer(bytes)
        let range = JournalLayout.word..<JournalLayout.word + pageSize
        let sealed = whole.part(range)
        let number = whole.bigEndian(at: 0)
        let isOpen = try cipher.open(bytes.part(range), number: number, into: page)
        guard isOpen || code == .shortRead || !isWhole(whole, sealed) else {
            throw number == 1 || isFirstPageForeign(cipher)
                ? .wrongKeyOrNotADatabase : .tampered(page: Int(number))
        }
        // An incomplete page keeps its checksum, which SQLite rejects: the journal ends there.
        if !isOpen { page.copyMemory(from: sealed) }
        checksum = (
            offset + Int64(pageSize),
            isOpen
                ? JournalLayout.sum(sealed) &- JournalLayout.sum(UnsafeRawBufferPointer(page)) : 0
        )
        return code == .shortRead ? .ok : code
    }

    /// Whether the first page of the database cannot be authenticated either: then the key is
    /// wrong, and the journal was not tampered with.
    private func isFirstPageForeign(_ cipher: PageCipher) -> Bool {
        let page = PageBuffer()
        let bytes = page.prefix(pageSize)
        return withExtendedLifetime(page) {
            database.readSealed(1, into: bytes) == .ok && !cipher.isAuthentic(bytes, number: 1)
        }
    }

    /// Whether the checksum of a record is correct.
    private func isWhole(_ record: UnsafeRawBufferPointer, _ page: UnsafeRawBufferPointer) -> Bool {
        let stored = record.bigEndian(at: JournalLayout.word + page.count)
        return withUnsafeTemporaryAllocation(byteCount: JournalLayout.word, alignment: 4) {
            guard super.read(into: $0, at: header + Int64(JournalLayout.nonce)) == .ok else {
                return false
            }
            return UnsafeRawBufferPointer($0).bigEndian(at: 0) &+ JournalLayout.sum(page) == stored
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
        // A write with the size of another page size must not be stored unencrypted.
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

/// The layout of a rollback journal: headers of one sector each, each followed by records of page
/// number, page and checksum (SQLite's file format, 3).
enum JournalLayout {
    static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The length of a header's fields.
    static let header = 28
    static let recordCount = 8
    static let nonce = 12
    static let pageCount = 16
    static let sectorSize = 20
    static let pageSize = 24
    /// A page number, or a checksum.
    static let word = 4
    /// The length of a header if a write does not affect adjacent bytes.
    static let sector = 512

    static func recordSize(_ pageSize: Int) -> Int { word + pageSize + word }

    /// The sum of every 200th byte of a page, from its end; the checksum is this plus the nonce.
    static func sum(_ page: UnsafeRawBufferPointer) -> UInt32 {
        var sum: UInt32 = 0
        var position = page.count - 200
        while position > 0 {
            sum &+= UInt32(page[position])
            position -= 200
        }
        return sum
    }
}
