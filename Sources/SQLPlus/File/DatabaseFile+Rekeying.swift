internal import SQLCore

extension DatabaseFile {
    /// Encrypts the database with another key, which the connection uses from then on.
    ///
    /// Throws `EncryptionError.cannotRekey`, or an error of the file system; the old key remains
    /// valid, at the latest after the file is reopened. Only after `.converted` the new key is.
    func rekey(to new: EncryptionKey) throws {
        guard isEncrypted, let path else {
            throw EncryptionError.cannotRekey(
                reason: "the database is not encrypted; encrypt it in place, or export it")
        }
        // In WAL mode a connection holds a shared lock on the file as long as it is open.
        let baseLevel: Int32 = wal == nil ? 0 : 1
        let reset = resetWAL()
        guard lockLevel <= baseLevel, reset != .locked else {
            throw EncryptionError.cannotRekey(
                reason: "this connection uses the database; end its transaction and statements")
        }
        guard reset == .ok || .busy ~= reset else {
            throw failure?.error ?? SQLError(code: reset, message: "the WAL cannot be reset")
        }
        try lockAlone(orBackTo: baseLevel)
        defer { _ = unlock(baseLevel) }
        try requireNoJournal(vfs, path)
        // Frames that are encrypted with the old key must not reappear after a power failure.
        let synced = wal?.sync(flags: 3) ?? .ok
        guard synced == .ok else {
            throw SQLError(code: synced, message: "the WAL cannot be synced after its reset")
        }
        guard let old = try requireCipher() else {
            // The file is empty.
            return replaceKey(new)
        }
        try readFirstPage()
        guard new.salt == nil || new.salt == old.salt else {
            throw EncryptionError.otherSalt
        }
        let cipher = try PageCipher(new, old.salt)
        let rekeying = Rekeying(file: self, vfs: vfs, path: path, old: old, new: cipher) {
            try Self.verify(path, new, self.vfs.name)
        }
        do {
            try rekeying.run()
        } catch let error as EncryptionError where error.isConverted {
            replaceKey(new, cipher)
            throw error
        }
        replaceKey(new, cipher)
    }

    /// Opens the file with the new key, as immutable: without locks and without its journal.
    private static func verify(_ path: String, _ key: EncryptionKey, _ vfs: String) throws {
        let again = try SQLContext(
            path: SQLContext.uri(path: path, parameters: "immutable=1"),
            flags: [.readOnly, .uri], configuration: .custom(vfs: vfs) { try $0.key(key) })
        _ = try again.selectValue(sql: "SELECT count(*) FROM sqlite_master")
        try again.close()
    }

    /// Raises the lock step by step to exclusive, as SQLite does.
    private func lockAlone(orBackTo baseLevel: Int32) throws {
        for level: Int32 in [1, 2, 4] {
            let code = lock(level)
            guard code == .ok else {
                _ = unlock(baseLevel)
                throw SQLError(
                    .busy, .cannotRekey(reason: "another connection uses the database"))
            }
        }
    }

    /// Throws if a journal or WAL contains pages, which are encrypted with the old key. A journal
    /// without a header, which a crash can leave, and an empty WAL contain none.
    private func requireNoJournal(_ vfs: SQLVFS, _ path: String) throws {
        for suffix in ["-journal", "-wal"] where vfs.exists(path + suffix) {
            let file = try vfs.openJournal(path + suffix)
            let hasContent = withUnsafeTemporaryAllocation(
                byteCount: JournalLayout.magic.count, alignment: 8
            ) { start in
                let code = file.read(into: start, at: 0)
                guard code == .ok else { return code != .shortRead }
                return suffix == "-wal" || start.elementsEqual(JournalLayout.magic)
            }
            guard !hasContent else {
                throw EncryptionError.cannotRekey(
                    reason: "the file \(suffix) is not empty; read from the database first, as "
                        + "the method rekey(_:) does")
            }
        }
    }

    func readFirstPage() throws {
        let code = withUnsafeTemporaryAllocation(byteCount: PageLayout.header, alignment: 16) {
            read(into: $0, at: 0)
        }
        guard code == .ok else {
            throw failure?.error ?? SQLError(code: code, message: "the file cannot be read")
        }
    }

    /// Reads a page without decryption.
    func readSealed(_ page: Int, into bytes: UnsafeMutableRawBufferPointer) -> SQLResultCode {
        passRead(into: bytes, at: Int64(page - 1) * Int64(pageSize))
    }

    /// Writes a page that is already encrypted.
    func writeSealed(_ page: Int, _ bytes: UnsafeRawBufferPointer) -> SQLResultCode {
        passWrite(bytes, at: Int64(page - 1) * Int64(pageSize))
    }

    func syncSealed() -> SQLResultCode { sync(flags: 3) }
}
