internal import SQLCore

/// Encrypts all pages of a database with another key, in place.
///
/// First the original pages are written to a rollback journal in SQLite's format, which is synced.
/// Then they are rewritten, and verified through another connection. Then the journal is deleted,
/// which is the commit: from then on the new key is valid. After a crash before that, opening the
/// file with the old key plays the journal back; SQLCipher does so, too.
struct Rekeying {
    let file: DatabaseFile
    let vfs: SQLVFS
    let path: String
    let old: PageCipher
    let new: PageCipher
    /// Reads the file with the new key before the commit.
    let verify: () throws -> Void

    private var pageSize: Int { file.pageSize }
    private var journalPath: String { path + "-journal" }

    /// Changes the key. The caller holds an exclusive lock on the file. A cancelled task stops it
    /// only before the first page is changed.
    ///
    /// Throws `EncryptionError.converted` if the new key is valid in spite of the error.
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
            // The journal can already have a valid header, which would make it hot.
            try restoring { try deleteJournal() }
            throw error
        }
        do {
            try rewrite(pages: count)
            try verify()
            try commit()
        } catch let error as EncryptionError where error.isConverted {
            throw error
        } catch {
            try restoring {
                try playBack(journal, records: records)
                try deleteJournal()
            }
            throw error
        }
    }

    /// Restores the state before the change of the key, if possible.
    private func restoring(_ restore: () throws -> Void) throws {
        do {
            try restore()
        } catch {
            // The journal is hot: its playback would overwrite all further writes.
            file.isRekeyRollbackFailed = true
            throw error
        }
    }

    private func require(_ code: SQLResultCode) throws {
        guard code == .ok else {
            throw SQLError(code: code, message: "the file cannot be encrypted with the new key")
        }
    }

    private func deleteJournal() throws {
        try require(journalPath.withCString { vfs.delete(path: $0, syncDirectory: 1) })
    }

    /// Deletes the journal. From then on the new key is valid, even if the directory cannot be
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

    /// Writes the encrypted pages to the journal and returns their number. The header contains that
    /// number only after the pages have been synced.
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

    /// Restores the pages from the journal.
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

    /// Whether a page is encrypted with the old key; false for a page that was never written (all
    /// zeros), which a journal cannot represent and which is left unchanged.
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
