internal import SQLCore

/// The write-ahead log (WAL) of an encrypted database.
///
/// In the file, checksums cover encrypted pages, as in SQLCipher, so that each of the two libraries
/// can read a WAL that the other has left. SQLite computes and expects checksums of plaintext
/// pages, so they are translated. A frame with a correct checksum that cannot be decrypted is an
/// error; one with a wrong checksum ends the WAL.
final class WALFile: SQLFile {
    unowned let database: DatabaseFile
    /// The byte order of the checksums' words, valid after the header was read.
    private var isBigEndian = false
    private var hasHeader = false
    /// A frame header whose page has not been written yet, or is already in the file.
    private var pending: (frame: Int, bytes: [UInt8], isWritten: Bool)?
    /// The frames that this connection has written since it acquired the write lock.
    private var written: Range<Int>?
    /// The salts of the WAL in the latest frame header.
    private var salts: [UInt8] = []
    /// The frame that was written last, and its checksum in the file.
    private var last: (frame: Int, checksum: WALChecksum)?
    /// The frame that the last call has read as a whole.
    private var readWhole: Int?
    /// The progress of a recovery, which reads the WAL from its beginning: the next frame, and the
    /// checksums before it.
    private var recovery: (frame: Int, sealed: WALChecksum, plain: WALChecksum)?
    let frame = PageBuffer()
    let plain = PageBuffer()

    init(_ opening: SQLFileOpening, _ database: DatabaseFile) {
        self.database = database
        super.init(opening)
        database.wal = self
    }

    private var pageSize: Int { database.pageSize }

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        guard database.isEncrypted else { return super.read(into: buffer, at: offset) }
        readWhole = nil
        if let code = flush() { return code }
        do {
            try loadHeader()
            return try readDecrypted(into: buffer, at: offset)
        } catch {
            return database.fail(error)
        }
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        guard database.isEncrypted else { return super.write(bytes, at: offset) }
        defer { readWhole = nil }
        do {
            try loadHeader()
            return try writeEncrypted(bytes, at: offset)
        } catch {
            return database.fail(error)
        }
    }

    override func truncate(to size: Int64) -> SQLResultCode {
        endWriting() ?? super.truncate(to: size)
    }

    override func sync(flags: Int32) -> SQLResultCode {
        flush() ?? super.sync(flags: flags)
    }

    override func size(_ size: inout Int64) -> SQLResultCode {
        flush() ?? super.size(&size)
    }

    override func close() -> SQLResultCode {
        let flushed = flush()
        database.wal = nil
        let closed = super.close()
        return flushed ?? closed
    }

    /// Writes a pending header, and drops the state that other connections can change after the
    /// release of the write lock; nil on success.
    func endWriting() -> SQLResultCode? {
        defer {
            written = nil
            salts = []
            last = nil
            recovery = nil
            readWhole = nil
            hasHeader = false
        }
        return flush()
    }
}

// Reading.
extension WALFile {
    private func readDecrypted(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard let location = try location(offset) else {
            return readHeader(into: buffer, at: offset)
        }
        if location.offset == WALLayout.checksum, buffer.count == WALChecksum.length {
            // SQLite starts from this checksum to recompute those of later frames. The value does
            // not matter, since the file has checksums of encrypted pages.
            buffer.clear()
            return .ok
        }
        return try readFrame(location, into: buffer)
    }

    /// The frame and the offset in it for an offset in the file; nil in the WAL header.
    ///
    /// Throws if the page size is not known, since nothing may be stored unencrypted.
    private func location(_ offset: Int64) throws(EncryptionError) -> WALLayout.Location? {
        if offset < WALLayout.header { return nil }
        guard let location = WALLayout.location(offset, pageSize) else {
            throw .wrongKeyOrNotADatabase
        }
        return location
    }

    /// Reads from the WAL header, which is not encrypted and states the page size.
    private func readHeader(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        let code = super.read(into: buffer, at: offset)
        if code == .ok, offset == 0, buffer.count == WALLayout.header {
            note(header: UnsafeRawBufferPointer(buffer))
        }
        return code
    }

    /// Reads the header if SQLite has not: a connection that uses an existing wal-index reads a
    /// frame first.
    private func loadHeader() throws(EncryptionError) {
        guard !hasHeader else { return }
        let code = withUnsafeTemporaryAllocation(byteCount: WALLayout.header, alignment: 8) {
            let code = super.read(into: $0, at: 0)
            if code == .ok { adopt(header: UnsafeRawBufferPointer($0)) }
            return code
        }
        guard code == .ok || code == .shortRead else { throw .fileFailed(code: code.rawValue) }
    }

    private func adopt(header: UnsafeRawBufferPointer) {
        let magic = header.bigEndian(at: 0)
        guard magic & ~1 == WALLayout.magic else { return }
        let sum = WALChecksum.zero.adding(
            header.part(..<WALLayout.headerChecksum), isBigEndian: magic & 1 == 1)
        guard sum == WALChecksum(header.part(WALLayout.headerChecksum...)) else { return }
        isBigEndian = magic & 1 == 1
        hasHeader = true
        database.adopt(pageSize: Int(header.bigEndian(at: 8)))
    }

    /// Resets the state for a header that SQLite reads, for a recovery, or writes, for a new WAL.
    private func note(header: UnsafeRawBufferPointer) {
        adopt(header: header)
        let checksum = WALChecksum(header.part(WALLayout.headerChecksum...))
        recovery = (0, checksum, checksum)
        written = nil
        salts = []
        last = nil
    }

    /// Reads a part of one frame, which is read and decrypted as a whole.
    private func readFrame(
        _ location: WALLayout.Location, into buffer: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> SQLResultCode {
        let size = WALLayout.frameSize(pageSize)
        guard location.offset + buffer.count <= size else { return .readFailed }
        let bytes = frame.prefix(size)
        let code = super.read(into: bytes, at: WALLayout.offset(ofFrame: location.frame, pageSize))
        guard code == .ok || code == .shortRead else { return code }
        let isWhole = location.offset == 0 && buffer.count == size
        // An incomplete frame cannot be decrypted: the WAL ends there.
        guard code == .ok, let cipher = try database.requireCipher() else {
            buffer.clear()
            return .shortRead
        }
        if !isWhole, let expected = database.walIndex.page(ofFrame: location.frame),
            expected != bytes.bigEndian(at: 0)
        {
            throw .tampered(page: Int(expected))
        }
        if location.offset == WALLayout.frameHeader, buffer.count == pageSize {
            guard try openPage(cipher, bytes, into: buffer) else {
                throw failure(ofPage: Int(bytes.bigEndian(at: 0)))
            }
            return .ok
        }
        let result = plain.prefix(size)
        result.copyMemory(
            from: UnsafeRawBufferPointer(bytes).part(..<WALLayout.frameHeader))
        let isOpen = try openPage(
            cipher, bytes, into: result.part(WALLayout.frameHeader...))
        guard isOpen || isWhole && !continues(location.frame, UnsafeRawBufferPointer(bytes)) else {
            throw failure(ofPage: Int(bytes.bigEndian(at: 0)))
        }
        if isWhole, isOpen {
            translate(location.frame, bytes, result)
            readWhole = location.frame
        }
        if isOpen {
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(result).part(
                    location.offset..<location.offset + buffer.count))
        } else {
            // Written incompletely: zeros are not a checksum that SQLite accepts.
            buffer.clear()
        }
        return .ok
    }

    private func failure(ofPage page: Int) -> EncryptionError {
        page == 1 || recovery?.frame == 0 ? .wrongKeyOrNotADatabase : .tampered(page: page)
    }

    /// Decrypts the page of a frame with the page number in its header.
    private func openPage(
        _ cipher: PageCipher, _ sealed: UnsafeMutableRawBufferPointer,
        into page: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> Bool {
        try cipher.open(
            sealed.part(WALLayout.frameHeader...), number: sealed.bigEndian(at: 0), into: page)
    }

    /// Whether a frame is the next one of a recovery and its checksum is correct: then it is
    /// complete, but it can have been written without the key.
    private func continues(_ frame: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let recovery, recovery.frame == frame else { return false }
        return checksum(after: recovery.sealed, bytes)
            == WALChecksum(bytes.part(WALLayout.checksum...))
    }

    /// The checksum after a frame, computed from the one before it.
    private func checksum(
        after before: WALChecksum, _ frame: UnsafeRawBufferPointer
    ) -> WALChecksum {
        before.adding(frame.part(..<WALLayout.covered), isBigEndian: isBigEndian)
            .adding(frame.part(WALLayout.frameHeader...), isBigEndian: isBigEndian)
    }

    /// Stores the checksum of the plaintext page in a frame that was read, if it is the next one of
    /// a recovery and complete; otherwise one that SQLite rejects.
    private func translate(
        _ frame: Int, _ sealed: UnsafeMutableRawBufferPointer,
        _ result: UnsafeMutableRawBufferPointer
    ) {
        let location = result.part(WALLayout.checksum..<WALLayout.frameHeader)
        let bytes = UnsafeRawBufferPointer(sealed)
        guard let before = recovery, continues(frame, bytes) else { return location.clear() }
        let plain = checksum(after: before.plain, UnsafeRawBufferPointer(result))
        plain.store(in: location)
        recovery = (frame + 1, WALChecksum(bytes.part(WALLayout.checksum...)), plain)
    }
}

// Writing.
extension WALFile {
    private func writeEncrypted(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard let location = try location(offset) else {
            if let code = flush() { return code }
            if offset == 0, bytes.count == WALLayout.header { note(header: bytes) }
            return super.write(bytes, at: offset)
        }
        if location.offset == 0, bytes.count == WALLayout.frameHeader {
            if let code = flush() { return code }
            pending = (location.frame, Array(bytes), false)
            return isRewritten(location.frame) ? writeHeader() ?? .ok : .ok
        }
        guard location.offset == WALLayout.frameHeader, bytes.count == pageSize,
            let cipher = try database.requireCipher()
        else { return .writeFailed }
        return try writePage(cipher, location.frame, bytes)
    }

    /// Writes a page with the pending header, or into an existing frame.
    private func writePage(
        _ cipher: PageCipher, _ number: Int, _ page: UnsafeRawBufferPointer
    ) throws(EncryptionError) -> SQLResultCode {
        let bytes = frame.prefix(WALLayout.frameSize(pageSize))
        let header = bytes.part(..<WALLayout.frameHeader)
        let offset = WALLayout.offset(ofFrame: number, pageSize)
        let sealed = bytes.part(WALLayout.frameHeader...)
        guard let waiting = pending, waiting.frame == number else {
            if let code = flush() { return code }
            let code = super.read(into: header, at: offset)
            guard code == .ok else { return code }
            try seal(cipher, page, header, into: sealed)
            return super.write(
                UnsafeRawBufferPointer(sealed), at: offset + Int64(WALLayout.frameHeader))
        }
        header.copyBytes(from: waiting.bytes)
        pending = nil
        try seal(cipher, page, header, into: sealed)
        return finish(number, bytes)
    }

    /// Encrypts a page with the page number in the header of its frame.
    private func seal(
        _ cipher: PageCipher, _ page: UnsafeRawBufferPointer,
        _ header: UnsafeMutableRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) {
        let number = header.bigEndian(at: 0)
        try database.requireLayout(page, number: number)
        try cipher.seal(page, number: number, into: sealed)
    }

    /// Whether SQLite writes the header of an existing frame again, without a page: at the end of a
    /// transaction that has changed pages in frames, it reads each of these frames as a whole and
    /// writes its checksum again. No other write may follow, so the header is written immediately.
    /// Any other header is that of a new frame, possibly in the location of a rolled-back one, and
    /// must not be in the file before its page is written.
    private func isRewritten(_ frame: Int) -> Bool {
        readWhole == frame && written?.contains(frame) == true
    }

    /// Writes the pending header, which no page has followed, unless it is written already.
    private func flush() -> SQLResultCode? {
        defer { pending = nil }
        return pending?.isWritten == false ? writeHeader() : nil
    }

    /// Writes the pending header of a frame whose page is in the file.
    private func writeHeader() -> SQLResultCode? {
        guard let waiting = pending else { return nil }
        pending?.isWritten = true
        let bytes = frame.prefix(WALLayout.frameSize(pageSize))
        let offset = WALLayout.offset(ofFrame: waiting.frame, pageSize)
        let code = super.read(into: bytes, at: offset)
        guard code == .ok else { return code }
        bytes.copyBytes(from: waiting.bytes)
        let result = finish(waiting.frame, bytes, writesPage: false)
        return result == .ok ? nil : result
    }

    /// Stores the checksum of the encrypted page in a frame, and writes the frame.
    private func finish(
        _ number: Int, _ bytes: UnsafeMutableRawBufferPointer, writesPage: Bool = true
    ) -> SQLResultCode {
        guard let before = sealedChecksum(before: number), setSalts(bytes) else {
            return .readFailed
        }
        let checksum = checksum(after: before, UnsafeRawBufferPointer(bytes))
        checksum.store(in: bytes.part(WALLayout.checksum..<WALLayout.frameHeader))
        let part = writesPage ? bytes : bytes.part(..<WALLayout.frameHeader)
        let code = super.write(
            UnsafeRawBufferPointer(part), at: WALLayout.offset(ofFrame: number, pageSize))
        last = code == .ok ? (number, checksum) : nil
        if code == .ok { noteWritten(number) }
        return code
    }

    private func noteWritten(_ frame: Int) {
        guard let written, frame >= written.lowerBound, frame <= written.upperBound else {
            self.written = frame..<frame + 1
            return
        }
        self.written = written.lowerBound..<max(written.upperBound, frame + 1)
    }

    /// Stores the salts of the WAL in a header that has none: SQLite omits them if it intends to
    /// recompute checksums at the commit, which 3.40 fails to do after a ROLLBACK TO.
    private func setSalts(_ frame: UnsafeMutableRawBufferPointer) -> Bool {
        let location = frame.part(WALLayout.salts)
        guard UnsafeRawBufferPointer(location).isZero else {
            salts = Array(location)
            return true
        }
        if salts.isEmpty {
            let stored = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) {
                super.read(into: $0, at: Int64(WALLayout.headerSalts)) == .ok ? Array($0) : []
            }
            guard !stored.isEmpty else { return false }
            salts = stored
        }
        location.copyBytes(from: salts)
        return true
    }

    /// The checksum in the file before a frame: that of the previous frame, or of the WAL header.
    private func sealedChecksum(before frame: Int) -> WALChecksum? {
        if let last, last.frame == frame - 1 { return last.checksum }
        let location =
            frame == 0
            ? Int64(WALLayout.headerChecksum)
            : WALLayout.offset(ofFrame: frame - 1, pageSize) + Int64(WALLayout.checksum)
        return withUnsafeTemporaryAllocation(byteCount: WALChecksum.length, alignment: 8) {
            let code = super.read(into: $0, at: location)
            return code == .ok ? WALChecksum(UnsafeRawBufferPointer($0)) : nil
        }
    }
}
