internal import SQLCore

/// The file of a database: pages, each encrypted for itself.
///
/// Without a key it hands everything on. The salt and the size of the pages are found out when the
/// first page is needed, since a journal may have to be played back before.
final class DatabaseFile: SQLFile {
    private(set) var key: EncryptionKey?
    /// Nil until the salt is known.
    private(set) var cipher: PageCipher?
    /// 0 until it is known.
    private(set) var pageSize = 0
    /// The level of the lock that this connection has.
    private var lockLevel: Int32 = 0
    /// Which pages are in the log, as connections tell each other.
    private(set) var logIndex = LogIndex()
    /// No longer than the file, as long as the lock lasts.
    private var knownLength: Int64 = 0
    /// The log of this connection.
    weak var log: LogFile?
    /// The header as it was read last, and the end of its encrypted page.
    private var header: (plain: [UInt8], sealedEnd: [UInt8])?

    private let sealed = PageBuffer()
    private let plain = PageBuffer()

    /// The file system; it is never freed once it is registered.
    unowned let vfs: EncryptingVFS

    init(_ opening: SQLFileOpening, _ vfs: EncryptingVFS, _ key: EncryptionKey?) {
        self.vfs = vfs
        self.key = key
        super.init(opening)
    }

    /// Whether there is anything to be done at all.
    var isEncrypted: Bool { key != nil }

    /// The locks are SQLite's own: 0 is none.
    var isLocked: Bool { lockLevel > 0 }

    override var sectorSize: Int32 { isEncrypted ? 512 : super.sectorSize }

    /// Pages are written whole, and none is taken to be on the disk before it is synced.
    override var deviceCharacteristics: Int32 {
        let safeOverwrite: Int32 = 0x1000
        let immutable: Int32 = 0x2000
        let undeletable: Int32 = 0x800
        guard isEncrypted else { return super.deviceCharacteristics }
        return super.deviceCharacteristics & (immutable | undeletable) | safeOverwrite
    }

    override func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        isEncrypted ? readPages(into: buffer, at: offset) : readPlainly(into: buffer, at: offset)
    }

    override func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        isEncrypted ? writePage(bytes, at: offset) : super.write(bytes, at: offset)
    }

    override func control(
        _ request: Int32, _ argument: UnsafeMutableRawPointer?
    ) -> SQLResultCode {
        guard let own = FileRequest(rawValue: request), let argument else {
            return super.control(request, argument)
        }
        return answer(own, argument)
    }

    override func pragma(_ name: String, _ value: String?) -> SQLPragmaAnswer {
        answer(pragma: name.lowercased(), value)
    }

    override func lock(_ level: Int32) -> SQLResultCode {
        let code = super.lock(level)
        if code == .ok { lockLevel = max(level, lockLevel) }
        knownLength = 0
        return code
    }

    override func unlock(_ level: Int32) -> SQLResultCode {
        let code = super.unlock(level)
        if code == .ok { lockLevel = min(level, lockLevel) }
        return code
    }

    override func lockSharedMemory(offset: Int32, count: Int32, flags: Int32) -> SQLResultCode {
        knownLength = 0
        let unlock: Int32 = 1
        // Slot 0 is the writer's: others may write to the log from now on.
        if offset == 0, flags & unlock != 0, let code = log?.endWriting(), code != .ok {
            return code
        }
        return super.lockSharedMemory(offset: offset, count: count, flags: flags)
    }

    override func truncate(to size: Int64) -> SQLResultCode {
        knownLength = 0
        return super.truncate(to: size)
    }

    override func mapSharedMemory(
        region: Int32, size: Int32, extend: Int32,
        _ memory: UnsafeMutablePointer<UnsafeMutableRawPointer?>
    ) -> SQLResultCode {
        let code = super.mapSharedMemory(region: region, size: size, extend: extend, memory)
        if code == .ok { logIndex.note(memory.pointee, region: Int(region)) }
        return code
    }

    override func unmapSharedMemory(delete: Int32) -> SQLResultCode {
        logIndex.forget()
        return super.unmapSharedMemory(delete: delete)
    }

    override func close() -> SQLResultCode {
        if let path, let failure { vfs.noteFailure(failure, at: path) }
        key = nil
        cipher = nil
        return super.close()
    }
}

// Keys.
extension DatabaseFile {
    /// Gives the file its key; the same key again is no mistake.
    func setKey(_ key: EncryptionKey) throws(EncryptionError) {
        guard self.key !== key else { return }
        guard self.key == nil || cipher == nil, !isLocked else { throw .keyTooLate }
        self.key = key
        // Opening has read the header without the key.
        failure = nil
        reserve(bytes: PageLayout.reserve)
    }

    /// Takes another key for all that comes.
    func replaceKey(_ key: EncryptionKey, _ cipher: PageCipher? = nil) {
        self.key = key
        self.cipher = cipher
        header = nil
    }

    /// Notes a failure, so that the error of the statement can tell of it.
    func fail(_ error: EncryptionError) -> SQLResultCode {
        failure = SQLFileFailure(error.code, error)
        return error.code
    }

    /// The cipher, once there is a salt: that of the key, or of the file.
    ///
    /// Nil if the file is empty and none is being written.
    func requireCipher(makesSalt: Bool = false) throws(EncryptionError) -> PageCipher? {
        if let cipher { return cipher }
        guard let key else { return nil }
        let found = FileSalt(try rawBytes(FileSalt.length, at: 0))
        let isEmpty = try length() == 0
        guard !isEmpty || makesSalt else { return nil }
        guard isEmpty || found != .plain else { throw .notEncrypted }
        let salt = key.salt ?? (isEmpty ? FileSalt.random() : found)
        do {
            let made = try PageCipher(key, salt)
            cipher = made
            return made
        } catch {
            throw error as? EncryptionError ?? .cipherFailed
        }
    }

    /// Takes the size of pages from a log or journal, which may know it better.
    func adopt(pageSize: Int) {
        if PageLayout.isPageSize(pageSize) { self.pageSize = pageSize }
    }

    func passRead(
        into bytes: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        super.read(into: bytes, at: offset)
    }

    func passWrite(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        super.write(bytes, at: offset)
    }

    /// Whether something was written; so it is taken to be where that cannot be told.
    var hasPages: Bool { (try? length()) != 0 }

    private func length() throws(EncryptionError) -> Int64 {
        var length: Int64 = 0
        let code = super.size(&length)
        guard code == .ok else { throw .fileFailed(code: code.rawValue) }
        return length
    }

    /// Bytes of the file as they are.
    private func rawBytes(_ count: Int, at offset: Int64) throws(EncryptionError) -> [UInt8] {
        var code = SQLResultCode.ok
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            code = super.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
            filled = code == .ok || code == .shortRead ? count : 0
        }
        guard code == .ok || code == .shortRead else {
            throw .fileFailed(code: code.rawValue)
        }
        return bytes
    }
}

// Reading.
extension DatabaseFile {
    private func readPages(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int64
    ) -> SQLResultCode {
        do {
            return try readDecrypted(into: buffer, at: offset)
        } catch EncryptionError.wrongKeyOrNotADatabase where forgetOldSalt() {
            do {
                return try readDecrypted(into: buffer, at: offset)
            } catch {
                return fail(error)
            }
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

    /// Somebody else may have begun the file while this connection was about to, with another salt;
    /// false if the salt is still the same.
    private func forgetOldSalt() -> Bool {
        guard let cipher, key?.salt == nil,
            let found = try? rawBytes(FileSalt.length, at: 0), FileSalt(found) != cipher.salt
        else { return false }
        self.cipher = nil
        pageSize = 0
        header = nil
        return true
    }

    /// A file without a key; if it is no plain database, the reason may be that.
    private func readPlainly(
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
        let start = UnsafeRawBufferPointer(bytes)
        for size in PageLayout.sizes where size <= largest {
            guard cipher.isAuthentic(start.part(..<size), number: 1) else { continue }
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
        if try cipher.open(UnsafeRawBufferPointer(bytes), number: UInt32(number), into: page) {
            return .ok
        }
        throw number == 1 ? .wrongKeyOrNotADatabase : .tampered(page: number)
    }

    /// The beginning of the first page, which SQLite reads again and again to see whether somebody
    /// else has written: its end tells whether it is still the same.
    private func readHeader(
        _ cipher: PageCipher, into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(EncryptionError) -> SQLResultCode {
        let place = Int64(pageSize - PageLayout.reserve)
        if let header, try rawBytes(PageLayout.reserve, at: place) == header.sealedEnd {
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

// Writing.
extension DatabaseFile {
    private func writePage(_ bytes: UnsafeRawBufferPointer, at offset: Int64) -> SQLResultCode {
        do {
            guard let cipher = try requireCipher(makesSalt: true) else { return .writeFailed }
            guard PageLayout.isPageSize(bytes.count), offset % Int64(bytes.count) == 0 else {
                return fail(.noRoomInPages)
            }
            let number = offset / Int64(bytes.count) + 1
            if number == 1, bytes[PageLayout.reserveOffset] != UInt8(PageLayout.reserve) {
                return fail(.noRoomInPages)
            }
            // All pages of a file have one size.
            guard pageSize == 0 || pageSize == bytes.count || !hasPages else {
                return fail(.noRoomInPages)
            }
            pageSize = bytes.count
            let filled = try fillHole(cipher, before: offset)
            guard filled == .ok else { return filled }
            let page = sealed.prefix(bytes.count)
            try cipher.seal(bytes, number: UInt32(number), into: page)
            return super.write(UnsafeRawBufferPointer(page), at: offset)
        } catch {
            return fail(error)
        }
    }

    /// Writes pages that SQLite leaves out before the end of the file, since nothing is in them: a
    /// hole could not be told from pages that somebody has made zeros.
    private func fillHole(
        _ cipher: PageCipher, before offset: Int64
    ) throws(EncryptionError) -> SQLResultCode {
        guard offset > knownLength else { return .ok }
        let size = Int64(pageSize)
        let end = try length() / size * size
        if end < offset {
            let page = sealed.prefix(pageSize)
            let zeros = plain.prefix(pageSize)
            zeros.clear()
            for place in stride(from: end, to: offset, by: pageSize) where !isOfLocks(place) {
                try cipher.seal(
                    UnsafeRawBufferPointer(zeros), number: UInt32(place / size) + 1, into: page)
                let code = super.write(UnsafeRawBufferPointer(page), at: place)
                guard code == .ok else { return code }
            }
        }
        knownLength = max(offset, end) + size
        return .ok
    }

    /// SQLite uses no page in which its locks are.
    private func isOfLocks(_ place: Int64) -> Bool {
        (place..<place + Int64(pageSize)).contains(0x4000_0000)
    }
}
