internal import SQLCore
internal import StorePlatform

/// The file of a database: pages, each encrypted for itself.
///
/// Without a key it hands everything on. The salt and the size of the pages are found out when the
/// first page is needed, since a journal may have to be played back before.
final class DatabaseFile: SQLFile {
    private(set) var key: EncryptionKey?
    /// Nil until the salt is known.
    var cipher: PageCipher?
    /// 0 until it is known.
    var pageSize = 0
    /// Whether SQLite has opened the file to its end.
    private(set) var isConnected = false
    /// The level of the lock that this connection has.
    private(set) var lockLevel: Int32 = 0
    /// Which pages are in the log, as connections tell each other.
    private(set) var walIndex = WALIndex()
    /// That the file ended within a page when its first one was read.
    var raggedEnd: SQLFileFailure?
    /// No longer than the file, as long as the lock lasts.
    var knownLength: Int64 = 0
    /// Whether the file is between two keys and could not be put back: until it is opened again,
    /// with which its journal is played back, nothing may be read or written, the log neither.
    var isBetweenKeys = false
    /// The log of this connection.
    weak var wal: WALFile?
    /// The header as it was read last, and the end of its encrypted page.
    var header: (plain: [UInt8], sealedEnd: [UInt8])?

    let sealed = PageBuffer()
    let plain = PageBuffer()

    /// The file system; it is never freed once it is registered.
    unowned let vfs: EncryptingVFS

    /// Whether a method has said which key the file has, or that it has none.
    private let isToldKey: Bool
    /// Whether SQLite is still to be told of the reserved bytes: it knows the file only once it has
    /// attached it.
    private var reservesLater = false

    /// - Parameter told: the key that a method gives the file, if one opens it; nil for SQL.
    init(_ opening: SQLFileOpening, _ vfs: EncryptingVFS, told: EncryptionKey??) {
        self.vfs = vfs
        key = told ?? nil
        isToldKey = told != nil
        super.init(opening)
    }

    /// Whether there is anything to be done at all.
    var isEncrypted: Bool { key != nil }

    override var keepsCopiesToItself: Bool { isEncrypted }

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

    override func connected() {
        isConnected = true
        inheritKey()
    }

    override func pragma(_ name: String, _ value: String?) -> SQLPragmaResult {
        answer(pragma: name.lowercased(), value)
    }

    override func lock(_ level: Int32) -> SQLResultCode {
        if reservesLater {
            reservesLater = false
            reserve(bytes: PageLayout.reserve)
        }
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
        let ended = offset == 0 && flags & unlock != 0 ? wal?.endWriting() : nil
        let code = super.lockSharedMemory(offset: offset, count: count, flags: flags)
        return ended ?? code
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
        // Whoever may only read the memory has it, too.
        if code == .ok || .readOnly ~= code {
            walIndex.note(memory.pointee, region: Int(region))
        }
        return code
    }

    override func unmapSharedMemory(delete: Int32) -> SQLResultCode {
        walIndex.forget()
        return super.unmapSharedMemory(delete: delete)
    }

    override func close() -> SQLResultCode {
        if let path, let failure { vfs.noteFailure(failure, at: path) }
        if isEncrypted { StackMemory.overwrite() }
        key = nil
        cipher = nil
        return super.close()
    }
}

// Keys.
extension DatabaseFile {
    /// Gives the file its key; the same key again is not an error.
    func setKey(_ key: EncryptionKey) throws(EncryptionError) {
        guard self.key !== key else { return }
        // A wrong key has found no page of its own.
        guard self.key == nil || cipher == nil || pageSize == 0, !isLocked else {
            throw .keyTooLate
        }
        self.key = key
        cipher = nil
        // Opening has read the header without the key.
        failure = nil
        reserve(bytes: PageLayout.reserve)
    }

    /// Takes the key of the connection's main database, if SQL alone opens another file and that is
    /// empty or encrypted: a copy that `VACUUM INTO` makes of an encrypted database is never plain.
    private func inheritKey() {
        let main = mainFiles.lazy.compactMap { $0 as? DatabaseFile }.first
        guard !isToldKey, key == nil, let main, main !== self, let inherited = main.key,
            (try? rawBytes(FileSalt.length, at: 0)) != PageLayout.magic
        else { return }
        key = inherited
        reservesLater = true
        // Opening has read the header without the key.
        failure = nil
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
        guard !isBetweenKeys else { throw .betweenKeys }
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

    func length() throws(EncryptionError) -> Int64 {
        var length: Int64 = 0
        let code = super.size(&length)
        guard code == .ok else { throw .fileFailed(code: code.rawValue) }
        return length
    }

    /// Bytes of the file as they are.
    func rawBytes(_ count: Int, at offset: Int64) throws(EncryptionError) -> [UInt8] {
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
