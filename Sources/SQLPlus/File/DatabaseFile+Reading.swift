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

    /// Reads what did not belong to the key: somebody else may have begun the file, with another
    /// salt, or be writing its first page while this connection has no lock.
    private func readAgain(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        let locks = !isLocked && lock(1) == .ok
        defer { if locks { _ = unlock(0) } }
        do {
            forgetOldSalt()
            return try readDecrypted(into: buffer, at: offset)
        } catch  where !isConnected {
            // SQLite looks at the header while it opens the file, and takes zeros for an empty one.
            // It reads the page again before it uses it, and what a journal has instead.
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

    /// Forgets the salt if the file has another one by now.
    private func forgetOldSalt() {
        guard let cipher, key?.salt == nil,
            let found = try? rawBytes(FileSalt.length, at: 0), FileSalt(found) != cipher.salt
        else { return }
        self.cipher = nil
        pageSize = 0
        header = nil
    }

    /// A file without a key; if it is not a plain database, the reason may be that.
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

    /// Whether the size of the pages is known; found out by which of them the first page belongs to
    /// the key with.
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

    /// Reads one page; zeros beyond the end of the file.
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

    /// Notes if the file ends within a page that it should have, by the first one. That alone is no
    /// failure: a crash leaves such an end while the log or journal has the page. It is the reason
    /// if SQLite then misses pages.
    private func noteLength(_ first: UnsafeRawBufferPointer) throws(EncryptionError) {
        let length = try length()
        raggedEnd = nil
        let stated = Int64(first.bigEndian(at: PageLayout.countOffset)) * Int64(pageSize)
        guard length % Int64(pageSize) != 0, stated > length else { return }
        let error = EncryptionError.truncated(bytes: Int(length), pageSize: pageSize)
        raggedEnd = SQLFileFailure(error.code, error)
        failure = raggedEnd
    }

    /// The beginning of the first page, which SQLite reads again and again to see whether somebody
    /// else has written: its end tells whether it is still the same.
    private func readHeader(
        _ cipher: PageCipher, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(EncryptionError) -> SQLResultCode {
        let place = Int64(pageSize - PageLayout.reserve)
        if let header, try rawBytes(PageLayout.reserve, at: place) == header.sealedEnd {
            failure = raggedEnd ?? failure
            buffer.copyBytes(from: header.plain[offset..<offset + buffer.count])
            return .ok
        }
        let page = plain.prefix(pageSize)
        let code = try readPage(cipher, 1, into: page)
        if code == .ok {
            let end = UnsafeRawBufferPointer(sealed.prefix(pageSize)).part(Int(place)...)
            header = (Array(page.part(..<PageLayout.header)), Array(end))
        }
        buffer.copyMemory(
            from: UnsafeRawBufferPointer(page).part(offset..<offset + buffer.count))
        return code
    }

    /// Any range of bytes, as of somebody who takes the pages to have another size.
    private func readParts(
        _ cipher: PageCipher, into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        var done = 0
        var result = SQLResultCode.ok
        while done < buffer.count {
            let place = offset + Int64(done)
            let start = Int(place % Int64(pageSize))
            let count = min(pageSize - start, buffer.count - done)
            let page = plain.prefix(pageSize)
            let code = try readPage(cipher, Int(place / Int64(pageSize)) + 1, into: page)
            guard code == .ok || code == .shortRead else { return code }
            if code == .shortRead { result = code }
            buffer.part(done..<done + count).copyMemory(
                from: UnsafeRawBufferPointer(page).part(start..<start + count))
            done += count
        }
        return result
    }
}
