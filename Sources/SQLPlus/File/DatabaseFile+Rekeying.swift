internal import SQLCore

extension DatabaseFile {
    /// Encrypts the database with another key; the connection has it from then on.
    ///
    /// Throws `EncryptionError.cannotRekey`, or what the file system says; the old key then stays,
    /// at the latest when the file is opened again. Only after `.converted` it is the new one.
    func rekey(to new: EncryptionKey) throws {
        guard isEncrypted, let path else {
            throw EncryptionError.cannotRekey(
                reason: "the database is not encrypted; encrypt it in place, or export it")
        }
        // A connection with a log has the file locked as long as it is open.
        let kept: Int32 = wal == nil ? 0 : 1
        let emptied = resetWAL()
        guard lockLevel <= kept, emptied != .locked else {
            throw EncryptionError.cannotRekey(reason: "it is in use; end the transaction")
        }
        guard emptied == .ok || .busy ~= emptied else {
            throw failure?.error ?? SQLError(code: emptied, message: "the log cannot be emptied")
        }
        try lockAlone(orBackTo: kept)
        defer { _ = unlock(kept) }
        try requireNoJournal(vfs, path)
        // What was in the log, under the old key, must not come back if the power fails.
        let synced = wal?.sync(flags: 3) ?? .ok
        guard synced == .ok else {
            throw SQLError(code: synced, message: "the emptied log cannot be synced")
        }
        guard let old = try requireCipher() else {
            // Nothing was written yet.
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

    /// Opens the file as it stands, beside its locks and its journal, with the new key.
    private static func verify(_ path: String, _ key: EncryptionKey, _ vfs: String) throws {
        let again = try SQLContext(
            path: SQLContext.uri(path: path, parameters: "immutable=1"),
            flags: [.readOnly, .uri], configuration: .custom(vfs: vfs) { try $0.key(key) })
        _ = try again.selectValue(sql: "SELECT count(*) FROM sqlite_master")
        try again.close()
    }

    /// Raises the lock step by step, as SQLite does.
    private func lockAlone(orBackTo kept: Int32) throws {
        for level: Int32 in [1, 2, 4] {
            let code = lock(level)
            guard code == .ok else {
                _ = unlock(kept)
                throw SQLError(
                    .busy, .cannotRekey(reason: "another connection uses the database"))
            }
        }
    }

    /// What is in a journal or log belongs to the old key. A journal that a crash left before it
    /// was begun, and an empty log, hold nothing.
    private func requireNoJournal(_ vfs: SQLVFS, _ path: String) throws {
        for suffix in ["-journal", "-wal"] where vfs.exists(path + suffix) {
            let file = try vfs.openJournal(path + suffix)
            let holdsSomething = withUnsafeTemporaryAllocation(
                byteCount: JournalLayout.magic.count, alignment: 8
            ) { start in
                let code = file.read(into: start, at: 0)
                guard code == .ok else { return code != .shortRead }
                return suffix == "-wal" || start.elementsEqual(JournalLayout.magic)
            }
            guard !holdsSomething else {
                throw EncryptionError.cannotRekey(
                    reason: "there is something in the file \(suffix); read something first, as "
                        + "the method rekey(_:) does by itself")
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

    /// Reads a page as it is.
    func readSealed(_ page: Int, into bytes: UnsafeMutableRawBufferPointer) -> SQLResultCode {
        passRead(into: bytes, at: Int64(page - 1) * Int64(pageSize))
    }

    /// Writes a page as it is.
    func writeSealed(_ page: Int, _ bytes: UnsafeRawBufferPointer) -> SQLResultCode {
        passWrite(bytes, at: Int64(page - 1) * Int64(pageSize))
    }

    func syncSealed() -> SQLResultCode { sync(flags: 3) }
}
