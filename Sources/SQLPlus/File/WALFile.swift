internal import SQLCore

/// The write-ahead log of an encrypted database.
///
/// In the file, checksums are over encrypted pages, as SQLCipher has them, so that either can read
/// a log that the other left behind. SQLite computes and expects those over plain pages: they are
/// translated on the way. A frame that is whole by its checksum and does not belong to the key is
/// an error; one that is not whole ends the log.
final class WALFile: SQLFile {
    unowned let database: DatabaseFile
    /// Words of the checksums, once the header was seen.
    private var isBigEndian = false
    private var hasSeenHeader = false
    /// The header of a frame whose page is still to come, or is there already.
    private var pending: (frame: Int, bytes: [UInt8], isWritten: Bool)?
    /// The frames that this connection has written since it got the writer's lock.
    private var written: Range<Int>?
    /// The salts of the log, as the latest header of a frame had them.
    private var salts: [UInt8] = []
    /// The frame that was written last, and its checksum in the file.
    private var last: (frame: Int, checksum: WALChecksum)?
    /// The frame that was read as a whole by the last call.
    private var readWhole: Int?
    /// Where a reading of the whole log from its beginning has come to.
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
            try seeHeader()
            return try readDecrypted(into: buffer, at: offset)
        } catch {
            return database.fail(error)
        }
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        guard database.isEncrypted else { return super.write(bytes, at: offset) }
        defer { readWhole = nil }
        do {
            try seeHeader()
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

    /// Forgets what others may change from now on; nil if all went well.
    func endWriting() -> SQLResultCode? {
        defer {
            written = nil
            salts = []
            last = nil
            recovery = nil
            readWhole = nil
            hasSeenHeader = false
        }
        return flush()
    }
}

// Reading.
extension WALFile {
    private func readDecrypted(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard let place = try place(offset) else {
            return readHeader(into: buffer, at: offset)
        }
        if place.offset == WALLayout.checksum, buffer.count == WALChecksum.length {
            // SQLite goes on from it to compute those of later frames again. Whatever it begins
            // with, the log has sums of its own.
            buffer.clear()
            return .ok
        }
        return try readFrame(place, into: buffer)
    }

    /// Where an offset is; nil in the header.
    ///
    /// Throws if the size of the pages is not known: nothing may pass as it is then.
    private func place(_ offset: Int64) throws(EncryptionError) -> WALLayout.Place? {
        if offset < WALLayout.header { return nil }
        guard let place = WALLayout.place(offset, pageSize) else {
            throw .wrongKeyOrNotADatabase
        }
        return place
    }

    /// The header is not encrypted; it tells the size of the pages.
    private func readHeader(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        let code = super.read(into: buffer, at: offset)
        if code == .ok, offset == 0, buffer.count == WALLayout.header {
            note(header: UnsafeRawBufferPointer(buffer))
        }
        return code
    }

    /// Reads the header if SQLite has not: a connection that finds the log's index made by another
    /// one begins with a frame.
    private func seeHeader() throws(EncryptionError) {
        guard !hasSeenHeader else { return }
        let code = withUnsafeTemporaryAllocation(byteCount: WALLayout.header, alignment: 8) {
            let code = super.read(into: $0, at: 0)
            if code == .ok { see(header: UnsafeRawBufferPointer($0)) }
            return code
        }
        guard code == .ok || code == .shortRead else { throw .fileFailed(code: code.rawValue) }
    }

    private func see(header: UnsafeRawBufferPointer) {
        let magic = header.bigEndian(at: 0)
        guard magic & ~1 == WALLayout.magic else { return }
        let sum = WALChecksum.zero.adding(
            header.part(..<WALLayout.headerChecksum), isBigEndian: magic & 1 == 1)
        guard sum == WALChecksum(header.part(WALLayout.headerChecksum...)) else { return }
        isBigEndian = magic & 1 == 1
        hasSeenHeader = true
        database.adopt(pageSize: Int(header.bigEndian(at: 8)))
    }

    /// A header that SQLite reads or writes begins a log, or the reading of one.
    private func note(header: UnsafeRawBufferPointer) {
        see(header: header)
        let checksum = WALChecksum(header.part(WALLayout.headerChecksum...))
        recovery = (0, checksum, checksum)
        written = nil
        salts = []
        last = nil
    }

    /// A part of one frame, which is read and decrypted as a whole.
    private func readFrame(
        _ place: WALLayout.Place, into buffer: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> SQLResultCode {
        let size = WALLayout.frameSize(pageSize)
        guard place.offset + buffer.count <= size else { return .readFailed }
        let bytes = frame.prefix(size)
        let code = super.read(into: bytes, at: WALLayout.offset(ofFrame: place.frame, pageSize))
        guard code == .ok || code == .shortRead else { return code }
        let isWhole = place.offset == 0 && buffer.count == size
        // Of a part of a frame nothing can be told, as of a log that ends.
        guard code == .ok, let cipher = try database.requireCipher() else {
            buffer.clear()
            return .shortRead
        }
        if !isWhole, let wanted = database.walIndex.page(ofFrame: place.frame),
            wanted != bytes.bigEndian(at: 0)
        {
            throw .tampered(page: Int(wanted))
        }
        if place.offset == WALLayout.frameHeader, buffer.count == pageSize {
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
        guard isOpen || isWhole && !continues(place.frame, UnsafeRawBufferPointer(bytes)) else {
            throw failure(ofPage: Int(bytes.bigEndian(at: 0)))
        }
        if isWhole, isOpen {
            translate(place.frame, bytes, result)
            readWhole = place.frame
        }
        if isOpen {
            buffer.copyMemory(
                from: UnsafeRawBufferPointer(result).part(
                    place.offset..<place.offset + buffer.count))
        } else {
            // Not written to its end: no checksum that SQLite would take.
            buffer.clear()
        }
        return .ok
    }

    private func failure(ofPage page: Int) -> EncryptionError {
        page == 1 || recovery?.frame == 0 ? .wrongKeyOrNotADatabase : .tampered(page: page)
    }

    /// Decrypts the page of a frame, under the number that its header says.
    private func openPage(
        _ cipher: PageCipher, _ sealed: UnsafeMutableRawBufferPointer,
        into page: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) -> Bool {
        try cipher.open(
            sealed.part(WALLayout.frameHeader...), number: sealed.bigEndian(at: 0), into: page)
    }

    /// Whether a frame goes on where the reading of the log has come to: then it is whole, though
    /// it may be of somebody without the key.
    private func continues(_ frame: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let recovery, recovery.frame == frame else { return false }
        return checksum(after: recovery.sealed, bytes)
            == WALChecksum(bytes.part(WALLayout.checksum...))
    }

    /// The checksum after a frame, by the one before it.
    private func checksum(
        after before: WALChecksum, _ frame: UnsafeRawBufferPointer
    ) -> WALChecksum {
        before.adding(frame.part(..<WALLayout.covered), isBigEndian: isBigEndian)
            .adding(frame.part(WALLayout.frameHeader...), isBigEndian: isBigEndian)
    }

    /// Puts the plain checksum into a frame that was read, if it is the next one of a reading from
    /// the beginning and whole; else one that SQLite does not take.
    private func translate(
        _ frame: Int, _ sealed: UnsafeMutableRawBufferPointer,
        _ result: UnsafeMutableRawBufferPointer
    ) {
        let place = result.part(WALLayout.checksum..<WALLayout.frameHeader)
        let bytes = UnsafeRawBufferPointer(sealed)
        guard let before = recovery, continues(frame, bytes) else { return place.clear() }
        let plain = checksum(after: before.plain, UnsafeRawBufferPointer(result))
        plain.store(in: place)
        recovery = (frame + 1, WALChecksum(bytes.part(WALLayout.checksum...)), plain)
    }
}

// Writing.
extension WALFile {
    private func writeEncrypted(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard let place = try place(offset) else {
            if let code = flush() { return code }
            if offset == 0, bytes.count == WALLayout.header { note(header: bytes) }
            return super.write(bytes, at: offset)
        }
        if place.offset == 0, bytes.count == WALLayout.frameHeader {
            if let code = flush() { return code }
            pending = (place.frame, Array(bytes), false)
            return isRewritten(place.frame) ? writeHeader() ?? .ok : .ok
        }
        guard place.offset == WALLayout.frameHeader, bytes.count == pageSize,
            let cipher = try database.requireCipher()
        else { return .writeFailed }
        return try writePage(cipher, place.frame, bytes)
    }

    /// Writes a page with the header that has come before it, or into a frame that is there.
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

    /// Encrypts a page under the number that the header of its frame says.
    private func seal(
        _ cipher: PageCipher, _ page: UnsafeRawBufferPointer,
        _ header: UnsafeMutableRawBufferPointer, into sealed: UnsafeMutableRawBufferPointer
    ) throws(EncryptionError) {
        let number = header.bigEndian(at: 0)
        try database.requireLayout(page, number: number)
        try cipher.seal(page, number: number, into: sealed)
    }

    /// Whether the header of a frame that this connection has written comes again, to stay without
    /// a page: at the end of a transaction that has changed pages in frames SQLite reads each of
    /// them as a whole and writes its checksum again. Nothing may come after it, so it is written at
    /// once. Any other header is that of a new frame, also if an undone one was in its place: until
    /// its page comes the file must not have it.
    private func isRewritten(_ frame: Int) -> Bool {
        readWhole == frame && written?.contains(frame) == true
    }

    /// Writes a header that no page has followed, unless it is written already.
    private func flush() -> SQLResultCode? {
        defer { pending = nil }
        return pending?.isWritten == false ? writeHeader() : nil
    }

    /// Writes the header of a frame whose page is in the file.
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

    /// Puts the checksum over the encrypted page into a frame, and writes it.
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

    /// Puts the salts of the log into a header that has none: SQLite leaves them out where it means
    /// to compute checksums again at the commit, and 3.40 forgets to after a ROLLBACK TO.
    private func setSalts(_ frame: UnsafeMutableRawBufferPointer) -> Bool {
        let place = frame.part(WALLayout.salts)
        guard UnsafeRawBufferPointer(place).isZero else {
            salts = Array(place)
            return true
        }
        if salts.isEmpty {
            let found = withUnsafeTemporaryAllocation(byteCount: 8, alignment: 8) {
                super.read(into: $0, at: Int64(WALLayout.headerSalts)) == .ok ? Array($0) : []
            }
            guard !found.isEmpty else { return false }
            salts = found
        }
        place.copyBytes(from: salts)
        return true
    }

    /// The checksum in the file of the frame before one; of the header before the first.
    private func sealedChecksum(before frame: Int) -> WALChecksum? {
        if let last, last.frame == frame - 1 { return last.checksum }
        let place =
            frame == 0
            ? Int64(WALLayout.headerChecksum)
            : WALLayout.offset(ofFrame: frame - 1, pageSize) + Int64(WALLayout.checksum)
        return withUnsafeTemporaryAllocation(byteCount: WALChecksum.length, alignment: 8) {
            let code = super.read(into: $0, at: place)
            return code == .ok ? WALChecksum(UnsafeRawBufferPointer($0)) : nil
        }
    }
}
