internal import SQLCore

/// The pages of a file in SQLCipher's form, for whoever saves what SQLite cannot read.
struct PageReader: EncryptedPageReader {
    let reservedBytes = PageLayout.reserve
    let pageSizes = PageLayout.sizes

    private let cipher: PageCipher

    /// - Parameter salt: the first bytes of the file.
    ///
    /// Throws `EncryptionError.notEncrypted` for those of a plain database.
    init(_ key: EncryptionKey, salt: [UInt8]) throws {
        let found = FileSalt(salt)
        guard found != .plain else { throw EncryptionError.notEncrypted }
        cipher = try PageCipher(key, key.salt ?? found)
    }

    /// Whether a page is as somebody with the key wrote it under this number.
    func isAuthentic(_ page: some Swift.Collection<UInt8>, number: Int) -> Bool {
        guard PageLayout.isPageSize(page.count), let number = UInt32(exactly: number) else {
            return false
        }
        var bytes = Array(page)
        return bytes.withUnsafeMutableBytes { cipher.isAuthentic($0, number: number) }
    }

    /// A page as it was before it was encrypted, zeros at its end; nil if it is not authentic.
    func open(_ page: [UInt8], number: Int) -> [UInt8]? {
        guard PageLayout.isPageSize(page.count), let number = UInt32(exactly: number) else {
            return nil
        }
        var page = page
        var isOpen = false
        let plain = [UInt8](unsafeUninitializedCapacity: page.count) { buffer, filled in
            let target = UnsafeMutableRawBufferPointer(buffer)
            isOpen = page.withUnsafeMutableBytes {
                (try? cipher.open($0, number: number, into: target)) ?? false
            }
            filled = isOpen ? page.count : 0
        }
        return isOpen ? plain : nil
    }
}
