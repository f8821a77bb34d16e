internal import SQLCore

/// Encrypts all pages of a database with another key, in place.
///
/// First the pages as they are go into a rollback journal of SQLite's form, which is synced; then
/// they are rewritten, and looked at through another connection; then the journal is deleted, which
/// is the moment at which the new key counts. Whoever opens the file after a crash with the old key
/// plays the journal back, SQLCipher too.
struct Rekeying {
    let file: DatabaseFile
    let vfs: SQLVFS
    let path: String
    let old: PageCipher
    let new: PageCipher
    /// Reads the file with the new key before the old one is given up.
    let verify: () throws -> Void

    private var pageSize: Int { file.pageSize }
    private var journalPath: String { path + "-journal" }

    /// The caller has locked the file for itself alone. In a task that is cancelled it ends before
    /// the first page is changed, not after that.
    ///
    /// Throws `EncryptionError.converted` if the new key counts all the same.
    func run() throws {
        var length: Int64 = 0
        try require(file.size(&length))
        guard length % Int64(pageSize) == 0 else {
            throw EncryptionError.truncated(bytes: Int(length), pageSize: pageSize)
        }
        let count = Int(length / Int64(pageSize))
        let journal = try vfs.openJournal(journalPath)
        let records: Int
        do {
            records = try writeJournal(journal, pages: count)
        } catch {
            // Its header may be there already: then it counts.
            try givingUp { try deleteJournal() }
            throw error
        }
        do {
            try rewrite(pages: count)
            try verify()
            try commit()
        } catch let error as EncryptionError where error.isConverted {
            throw error
        } catch {
            try givingUp {
                try playBack(journal, records: records)
                try deleteJournal()
            }
            throw error
        }
    }

    /// Goes back to the old key, if that can be done.
    private func givingUp(_ goBack: () throws -> Void) throws {
        do {
            try goBack()
        } catch {
            // The journal counts, and goes over whatever would be written to the file.
            file.isBetweenKeys = true
            throw error
        }
    }

    private func require(_ code: SQLResultCode) throws {
        guard code == .ok else {
            throw SQLError(code: code, message: "the file cannot be encrypted again")
        }
    }

    private func deleteJournal() throws {
        try require(journalPath.withCString { vfs.delete(path: $0, syncDirectory: 1) })
    }

    /// Deletes the journal. Once it is gone there is no way back, even if the directory cannot be
    /// synced.
    private func commit() throws {
        do {
            try deleteJournal()
        } catch {
            guard !vfs.exists(journalPath) else { throw error }
            throw EncryptionError.unsynced(error)
        }
    }
}

// The journal.
extension Rekeying {
    private var recordSize: Int { JournalLayout.recordSize(pageSize) }

    private func recordOffset(_ record: Int) -> Int64 {
        Int64(JournalLayout.sector) + Int64(record) * Int64(recordSize)
    }

    /// Writes the pages that are encrypted; returns how many those are. Its header counts them only
    /// when they are on the disk.
    private func writeJournal(_ journal: SQLBaseFile, pages: Int) throws -> Int {
        try require(journal.truncate(to: 0))
        let nonce = UInt32.random(in: .min ... .max)
        let buffer = PageBuffer()
        let header = buffer.prefix(max(recordSize, JournalLayout.sector))
            .part(..<JournalLayout.sector)
        header.clear()
        try require(journal.write(UnsafeRawBufferPointer(header), at: 0))
        var count = 0
        for page in stride(from: 1, through: pages, by: 1) where !file.isOfLocks(page: page) {
            if page % 256 == 1 { try Task.checkCancellation() }
            let record = buffer.prefix(recordSize)
            let bytes = record.part(JournalLayout.word..<JournalLayout.word + pageSize)
            try require(file.readSealed(page, into: bytes))
            guard try mustBeRewritten(bytes, page) else { continue }
            let sum = JournalLayout.sum(UnsafeRawBufferPointer(bytes))
            record.setBigEndian(UInt32(page), at: 0)
            record.setBigEndian(nonce &+ sum, at: JournalLayout.word + pageSize)
            try require(journal.write(UnsafeRawBufferPointer(record), at: recordOffset(count)))
            count += 1
        }
        try require(journal.sync())
        writeHeader(header, pages: pages, records: count, nonce: nonce)
        try require(journal.write(UnsafeRawBufferPointer(header), at: 0))
        try require(journal.sync())
        return count
    }

    private func writeHeader(
        _ header: UnsafeMutableRawBufferPointer, pages: Int, records: Int, nonce: UInt32
    ) {
        header.clear()
        header.copyBytes(from: JournalLayout.magic)
        header.setBigEndian(UInt32(records), at: JournalLayout.recordCount)
        header.setBigEndian(nonce, at: JournalLayout.nonce)
        header.setBigEndian(UInt32(pages), at: JournalLayout.pageCount)
        header.setBigEndian(UInt32(JournalLayout.sector), at: JournalLayout.sectorSize)
        header.setBigEndian(UInt32(pageSize), at: JournalLayout.pageSize)
    }

    /// Puts the pages back that are in the journal, as they were.
    private func playBack(_ journal: SQLBaseFile, records: Int) throws {
        let buffer = PageBuffer()
        for number in 0..<records {
            let record = buffer.prefix(JournalLayout.word + pageSize)
            try require(journal.read(into: record, at: recordOffset(number)))
            let page = UnsafeRawBufferPointer(record.part(JournalLayout.word...))
            try require(file.writeSealed(Int(record.bigEndian(at: 0)), page))
        }
        try require(file.syncSealed())
    }

    /// Whether a page belongs to the old key; not if it was never written, which a journal cannot
    /// say of a page: it stays as it is.
    ///
    /// Throws `EncryptionError.tampered` for any other page.
    private func mustBeRewritten(
        _ bytes: UnsafeMutableRawBufferPointer, _ page: Int
    ) throws -> Bool {
        if old.isAuthentic(bytes, number: UInt32(page)) { return true }
        guard page > 1, UnsafeRawBufferPointer(bytes).isZero else {
            throw EncryptionError.tampered(page: page)
        }
        return false
    }
}

// The pages.
extension Rekeying {
    private func rewrite(pages: Int) throws {
        let (sealed, plain) = (PageBuffer(), PageBuffer())
        for page in stride(from: 1, through: pages, by: 1) where !file.isOfLocks(page: page) {
            let bytes = sealed.prefix(pageSize)
            try require(file.readSealed(page, into: bytes))
            let isOpen = try old.open(
                bytes, number: UInt32(page), into: plain.prefix(pageSize))
            guard isOpen else {
                _ = try mustBeRewritten(bytes, page)
                continue
            }
            try new.seal(
                UnsafeRawBufferPointer(plain.prefix(pageSize)), number: UInt32(page), into: bytes)
            try require(file.writeSealed(page, UnsafeRawBufferPointer(bytes)))
        }
        try require(file.syncSealed())
    }
}
