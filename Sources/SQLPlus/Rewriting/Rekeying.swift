internal import SQLCore

/// Encrypts all pages of a database with another key, in place.
///
/// First the pages as they are go into a rollback journal of SQLite's form, which is synced; then
/// they are rewritten; then the journal is deleted, which is the moment at which the new key
/// counts. Whoever opens the file after a crash with the old key plays the journal back, SQLCipher
/// too.
struct Rekeying {
    let file: DatabaseFile
    let vfs: SQLVFS
    let path: String
    let old: PageCipher
    let new: PageCipher

    private var pageSize: Int { file.pageSize }
    private var journalPath: String { path + "-journal" }

    /// The caller has locked the file for itself alone.
    func run() throws {
        var length: Int64 = 0
        try require(file.size(&length))
        guard length % Int64(pageSize) == 0 else {
            throw EncryptionError.truncated(bytes: Int(length), pageSize: pageSize)
        }
        let count = Int(length / Int64(pageSize))
        let journal = try vfs.openJournal(journalPath)
        do {
            try writeJournal(journal, pages: count)
        } catch {
            try deleteJournal()
            throw error
        }
        do {
            try rewrite(pages: count)
        } catch {
            try playBack(journal, pages: count)
            try deleteJournal()
            throw error
        }
        try deleteJournal()
    }

    private func require(_ code: SQLResultCode) throws {
        guard code == .ok else {
            throw SQLError(code: code, message: "the file cannot be encrypted anew")
        }
    }

    private func deleteJournal() throws {
        try require(journalPath.withCString { vfs.delete(path: $0, syncFolder: 1) })
    }
}

// The journal.
extension Rekeying {
    private var recordSize: Int { JournalLayout.recordSize(pageSize) }

    private func recordOffset(_ page: Int) -> Int64 {
        Int64(JournalLayout.sector) + Int64(page - 1) * Int64(recordSize)
    }

    /// Its header counts the records only when they are on the disk.
    private func writeJournal(_ journal: SQLBaseFile, pages: Int) throws {
        try require(journal.truncate(to: 0))
        let nonce = UInt32.random(in: .min ... .max)
        let buffer = PageBuffer()
        let header = buffer.prefix(max(recordSize, JournalLayout.sector))
            .part(..<JournalLayout.sector)
        header.clear()
        try require(journal.write(UnsafeRawBufferPointer(header), at: 0))
        for page in stride(from: 1, through: pages, by: 1) {
            let record = buffer.prefix(recordSize)
            let bytes = record.part(JournalLayout.word..<JournalLayout.word + pageSize)
            try require(file.readSealed(page, into: bytes))
            guard isKnown(UnsafeRawBufferPointer(bytes), page) else {
                throw EncryptionError.tampered(page: page)
            }
            let sum = JournalLayout.sum(UnsafeRawBufferPointer(bytes))
            record.setBigEndian(UInt32(page), at: 0)
            record.setBigEndian(nonce &+ sum, at: JournalLayout.word + pageSize)
            try require(journal.write(UnsafeRawBufferPointer(record), at: recordOffset(page)))
        }
        try require(journal.sync())
        writeHeader(header, pages: pages, nonce: nonce)
        try require(journal.write(UnsafeRawBufferPointer(header), at: 0))
        try require(journal.sync())
    }

    private func writeHeader(_ header: UnsafeMutableRawBufferPointer, pages: Int, nonce: UInt32) {
        header.clear()
        header.copyBytes(from: JournalLayout.magic)
        header.setBigEndian(UInt32(pages), at: JournalLayout.recordCount)
        header.setBigEndian(nonce, at: JournalLayout.nonce)
        header.setBigEndian(UInt32(pages), at: JournalLayout.pageCount)
        header.setBigEndian(UInt32(JournalLayout.sector), at: JournalLayout.sectorSize)
        header.setBigEndian(UInt32(pageSize), at: JournalLayout.pageSize)
    }

    /// Puts the pages back that are in the journal, as they were.
    private func playBack(_ journal: SQLBaseFile, pages: Int) throws {
        let buffer = PageBuffer()
        for page in stride(from: 1, through: pages, by: 1) {
            let bytes = buffer.prefix(pageSize)
            try require(
                journal.read(into: bytes, at: recordOffset(page) + Int64(JournalLayout.word)))
            try require(file.writeSealed(page, UnsafeRawBufferPointer(bytes)))
        }
        try require(file.syncSealed())
    }

    /// Whether a page belongs to the key, or was never written.
    private func isKnown(_ bytes: UnsafeRawBufferPointer, _ page: Int) -> Bool {
        old.isAuthentic(bytes, number: UInt32(page)) || page > 1 && bytes.isZero
    }
}

// The pages.
extension Rekeying {
    private func rewrite(pages: Int) throws {
        let (sealed, plain) = (PageBuffer(), PageBuffer())
        for page in stride(from: 1, through: pages, by: 1) {
            let bytes = sealed.prefix(pageSize)
            try require(file.readSealed(page, into: bytes))
            let isOpen = try old.open(
                UnsafeRawBufferPointer(bytes), number: UInt32(page), into: plain.prefix(pageSize))
            // A page that was never written stays so.
            guard isOpen else { continue }
            try new.seal(
                UnsafeRawBufferPointer(plain.prefix(pageSize)), number: UInt32(page), into: bytes)
            try require(file.writeSealed(page, UnsafeRawBufferPointer(bytes)))
        }
        try require(file.syncSealed())
    }
}
