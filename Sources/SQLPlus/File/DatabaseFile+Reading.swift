internal import SQLCore

extension DatabaseFile {
    func readPages(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        do {
            return try readDecrypted(into: buffer, at: offset)
        } catch EncryptionError.wrongKeyOrNotADatabase {
            return readAgain(into: buffer, at: offset)
        } catch {
            return fail(error)
        }
    }

    /// Reads again what could not be decrypted: another connection can have started the file with
    /// another salt, or be writing its first page while this connection holds no lock.
    private func readAgain(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        let locks = !isLocked && lock(1) == .ok
        defer { if locks { _ = unlock(0) } }
        do {
            forgetOldSalt()
            return try readDecrypted(into: buffer, at: offset)
        } catch  where !isConnected {
            // SQLite reads the header when it opens the file, and treats zeros as an empty file. It
            // reads the page again, or its version in a journal, before it uses it.
            buffer.clear()
            return .ok
        } catch {
            return fail(error)
        }
    }

    private func readDecrypted(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard let cipher = try requireCipher(), try findPageSize(cipher) else {
            return super.read(into: buffer, at: offset)
        }
        let size = Int64(pageSize)
        if buffer.count == pageSize, offset % size == 0 {
            return try readPage(cipher, Int(offset / size) + 1, into: buffer)
        }
        if offset >= 0, offset + Int64(buffer.count) <= Int64(PageLayout.header) {
            return try readHeader(cipher, into: buffer, at: Int(offset))
        }
        return try readParts(cipher, into: buffer, at: offset)
    }

    /// Drops the cipher if the salt of the file has changed.
    private func forgetOldSalt() {
        guard let cipher, key?.salt == nil,
            let bytes = try? rawBytes(FileSalt.length, at: 0), FileSalt(bytes) != cipher.salt
        else { return }
        self.cipher = nil
        pageSize = 0
        header = nil
    }

    /// Reads from a file without a key. If it is not a plaintext database, records that a key may
    /// be required.
    func readPlainly(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        let code = super.read(into: buffer, at: offset)
        if code == .ok, offset == 0, buffer.count >= FileSalt.length,
            !buffer.starts(with: PageLayout.magic)
        {
            failure = SQLFileFailure(.notADatabase, EncryptionError.keyRequired)
        }
        return code
    }

    /// Determines the page size by trying to authenticate the first page with each size; false if
    /// the file is empty.
    private func findPageSize(_ cipher: PageCipher) throws(EncryptionError) -> Bool {
        guard pageSize == 0 else { return true }
        let length = try length()
        guard length > 0 else { return false }
        let largest = Int(min(length, 65_536))
        let bytes = sealed.prefix(largest)
        let code = super.read(into: bytes, at: 0)
        guard code == .ok else { throw .fileFailed(code: code.rawValue) }
        for size in PageLayout.sizes where size <= largest {
            guard cipher.isAuthentic(bytes.part(..<size), number: 1) else { continue }
            pageSize = size
            return true
        }
        throw .wrongKeyOrNotADatabase
    }

    /// Reads one page; zeros past the end of the file.
    private func readPage(
        _ cipher: PageCipher, _ number: Int, into page: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> SQLResultCode {
        let bytes = sealed.prefix(pageSize)
        let offset = Int64(number - 1) * Int64(pageSize)
        let code = super.read(into: bytes, at: offset)
        if code == .shortRead {
            let length = try length()
            guard length <= offset else {
                throw .truncated(bytes: Int(length), pageSize: pageSize)
            }
            page.clear()
            return code
        }
        guard code == .ok else { return code }
        if try cipher.open(bytes, number: UInt32(number), into: page) {
            if number == 1 { try noteLength(UnsafeRawBufferPointer(page)) }
            return .ok
        }
        throw number == 1 ? .wrongKeyOrNotADatabase : .tampered(page: number)
    }

    /// Records whether the file ends within a page that it should have according to its first page.
    /// This is not an error by itself: after a crash the WAL or journal can contain that page. It
    /// is the reason if SQLite then finds that pages are missing.
    private func noteLength(_ first: UnsafeRawBufferPointer) throws(EncryptionError) {
        let length = try length()
        raggedEnd = nil
        let stated = Int64(first.bigEndian(at: PageLayout.countOffset)) * Int64(pageSize)
        guard length % Int64(pageSize) != 0, stated > length else { return }
        let error = EncryptionError.truncated(bytes: Int(length), pageSize: pageSize)
        raggedEnd = SQLFileFailure(error.code, error)
        failure = raggedEnd
    }

    /// Reads from the header, which SQLite does repeatedly to detect changes by other connections.
    /// The end of the encrypted page shows whether the cached header is still valid.
    private func readHeader(
        _ cipher: PageCipher, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(EncryptionError) -> SQLResultCode {
        let position = Int64(pageSize - PageLayout.reserve)
        if let header, try rawBytes(PageLayout.reserve, at: position) == header.sealedEnd {
            failure = raggedEnd ?? failure
            buffer.copyBytes(from: header.plain[offset..<offset + buffer.count])
            return .ok
        }
        let page = plain.prefix(pageSize)
        let code = try readPage(cipher, 1, into: page)
        if code == .ok {
            let end = UnsafeRawBufferPointer(sealed.prefix(pageSize)).part(Int(position)...)
            header = (Array(page.part(..<PageLayout.header)), Array(end))
        }
        buffer.copyMemory(
            from: UnsafeRawBufferPointer(page).part(offset..<offset + buffer.count))
        return code
    }

    /// Reads any range of bytes, for a caller that assumes another page size.
    private func readParts(
        _ cipher: PageCipher, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        var done = 0
        var result = SQLResultCode.ok
        while done < buffer.count {
            let position = offset + Int64(done)
            let start = Int(position % Int64(pageSize))
            let count = min(pageSize - start, buffer.count - done)
            let page = plain.prefix(pageSize)
            let code = try readPage(cipher, Int(position / Int64(pageSize)) + 1, into: page)
            guard code == .ok || code == .shortRead else { return code }
            if code == .shortRead { result = code }
            buffer.part(done..<done + count).copyMemory(
                from: UnsafeRawBufferPointer(page).part(start..<start + count))
            done += count
        }
        return result
    }
}
