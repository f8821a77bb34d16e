internal import SQLCore
internal import StorePlatform

/// The file of a database, whose pages are encrypted individually.
///
/// Without a key it forwards all calls. The salt and the page size are determined when the first
/// page is read, since a journal may have to be played back earlier.
final class DatabaseFile: SQLFile {
    private(set) var key: EncryptionKey?
    /// Nil until the salt is known.
    var cipher: PageCipher?
    /// The page size; 0 until it is known.
    var pageSize = 0
    /// Whether SQLite has completed opening the file.
    private(set) var isConnected = false
    /// The level of the lock that this connection holds.
    private(set) var lockLevel: Int32 = 0
    /// The wal-index, which the connections share.
    private(set) var walIndex = WALIndex()
    /// The failure if the file ended within a page when its first page was read.
    var raggedEnd: SQLFileFailure?
    /// A lower bound of the length of the file, valid while the lock is held.
    var knownLength: Int64 = 0
    /// Whether a change of the key failed and could not be undone: until the file is reopened,
    /// which plays its journal back, neither it nor the WAL may be read or written.
    var isRekeyRollbackFailed = false
    /// The WAL of this connection.
    weak var wal: WALFile?
    /// The header that was read last, and the end of its encrypted page.
    var header: (plain: [UInt8], sealedEnd: [UInt8])?

    let sealed = PageBuffer()
    let plain = PageBuffer()

    /// The VFS; once registered it is never freed.
    unowned let vfs: EncryptingVFS

    /// Whether the caller has specified the key, or that there is none.
    private let hasExplicitKey: Bool
    /// Whether the bytes are still to be reserved: SQLite knows the file only after attaching it.
    private var reservesLater = false

    /// Wraps a file.
    ///
    /// - Parameter explicitKey: The key that a method has specified for the file, `.some(nil)` for
    ///   a plaintext file; nil if SQL opens the file.
    init(_ opening: SQLFileOpening, _ vfs: EncryptingVFS, explicitKey: EncryptionKey??) {
        self.vfs = vfs
        key = explicitKey ?? nil
        hasExplicitKey = explicitKey != nil
        super.init(opening)
    }

    /// Whether the file has a key.
    var isEncrypted: Bool { key != nil }

    override var keepsCopiesToItself: Bool { isEncrypted }

    /// Whether this connection holds a lock; level 0 is none.
    var isLocked: Bool { lockLevel > 0 }

    override var sectorSize: Int32 { isEncrypted ? 512 : super.sectorSize }

    /// Pages are always written completely, and are not assumed to be on disk before a sync.
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
        return perform(own, argument)
    }

    override func connected() {
        isConnected = true
        inheritKey()
    }

    override func pragma(_ name: String, _ value: String?) -> SQLPragmaResult {
        run(pragma: name.lowercased(), value)
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
        // Slot 0 is the writer's: after its release other connections can write to the WAL.
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
        // A read-only mapping is valid, too.
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
    /// Sets the key of the file; setting the same key again is not an error.
    func setKey(_ key: EncryptionKey) throws(EncryptionError) {
        guard self.key !== key else { return }
        // A wrong key, which has not decrypted a page, can be replaced.
        guard self.key == nil || cipher == nil || pageSize == 0, !isLocked else {
            throw .keyTooLate
        }
        self.key = key
        cipher = nil
        // Opening has read the header without the key.
        failure = nil
        reserve(bytes: PageLayout.reserve)
    }

    /// Uses the key of the connection's main database if SQL opens another file that is empty or
    /// encrypted, so that a copy of an encrypted database by `VACUUM INTO` is never plaintext.
    private func inheritKey() {
        let main = mainFiles.lazy.compactMap { $0 as? DatabaseFile }.first
        guard !hasExplicitKey, key == nil, let main, main !== self, let inherited = main.key,
            (try? rawBytes(FileSalt.length, at: 0)) != PageLayout.magic
        else { return }
        key = inherited
        reservesLater = true
        // Opening has read the header without the key.
        failure = nil
    }

    /// Uses another key from now on.
    func replaceKey(_ key: EncryptionKey, _ cipher: PageCipher? = nil) {
        self.key = key
        self.cipher = cipher
        header = nil
    }

    /// Records a failure, which becomes the cause of the statement's error.
    func fail(_ error: EncryptionError) -> SQLResultCode {
        failure = SQLFileFailure(error.code, error)
        return error.code
    }

    /// Returns the cipher, with the salt of the key or of the file.
    ///
    /// Nil if the file is empty and `createsSalt` is false.
    func requireCipher(createsSalt: Bool = false) throws(EncryptionError) -> PageCipher? {
        guard !isRekeyRollbackFailed else { throw .rekeyRollbackFailed }
        if let cipher { return cipher }
        guard let key else { return nil }
        let stored = FileSalt(try rawBytes(FileSalt.length, at: 0))
        let isEmpty = try length() == 0
        guard !isEmpty || createsSalt else { return nil }
        guard isEmpty || stored != .plain else { throw .notEncrypted }
        let salt = key.salt ?? (isEmpty ? FileSalt.random() : stored)
        do {
            let new = try PageCipher(key, salt)
            cipher = new
            return new
        } catch {
            throw error as? EncryptionError ?? .cipherFailed
        }
    }

    /// Sets the page size from a WAL or journal, which takes precedence.
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

    /// Whether the file is not empty; true if its length cannot be read.
    var hasPages: Bool { (try? length()) != 0 }

    func length() throws(EncryptionError) -> Int64 {
        var length: Int64 = 0
        let code = super.size(&length)
        guard code == .ok else { throw .fileFailed(code: code.rawValue) }
        return length
    }

    /// Reads bytes of the file without decryption.
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
