internal import SQLCore

/// Memory for a page and its surrounding record or frame, which a file reuses for all calls.
final class PageBuffer {
    private(set) var bytes = UnsafeMutableRawBufferPointer(start: nil, count: 0)

    deinit { free() }

    /// Returns the first `count` bytes; their previous content may be lost.
    func prefix(_ count: Int) -> UnsafeMutableRawBufferPointer {
        if bytes.count < count {
            free()
            bytes = .allocate(byteCount: count, alignment: 16)
        }
        return UnsafeMutableRawBufferPointer(rebasing: bytes[..<count])
    }

    /// Overwrites the memory, which can contain plaintext, and frees it.
    private func free() {
        bytes.initializeMemory(as: UInt8.self, repeating: 0)
        bytes.deallocate()
    }
}

extension UnsafeRawBufferPointer {
    /// A part of it, from 0 on.
    func part(_ range: some RangeExpression<Int>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self[range])
    }

    /// Four bytes, the highest first.
    func bigEndian(at offset: Int) -> UInt32 {
        UInt32(bigEndian: loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// Whether all bytes are 0.
    var isZero: Bool { allSatisfy { $0 == 0 } }
}

extension UnsafeMutableRawBufferPointer {
    /// Four bytes, the highest first.
    func bigEndian(at offset: Int) -> UInt32 {
        UnsafeRawBufferPointer(self).bigEndian(at: offset)
    }

    /// A part of it, from 0 on.
    func part(_ range: some RangeExpression<Int>) -> UnsafeMutableRawBufferPointer {
        UnsafeMutableRawBufferPointer(rebasing: self[range])
    }

    /// Writes four bytes, the highest first.
    func setBigEndian(_ value: UInt32, at offset: Int) {
        storeBytes(of: value.bigEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// Sets all bytes to 0.
    func clear() { initializeMemory(as: UInt8.self, repeating: 0) }
}

/// Decrypts the pages of a file in SQLCipher's format, to recover data that SQLite cannot read.
struct PageReader: EncryptedPageReader {
    let reservedBytes = PageLayout.reserve
    let pageSizes = PageLayout.sizes

    private let cipher: PageCipher

    /// Creates a reader for a file.
    ///
    /// - Parameter salt: The first bytes of the file.
    ///
    /// Throws `EncryptionError.notEncrypted` if they are those of a plaintext database.
    init(_ key: EncryptionKey, salt: [UInt8]) throws {
        let stored = FileSalt(salt)
        guard stored != .plain else { throw EncryptionError.notEncrypted }
        cipher = try PageCipher(key, key.salt ?? stored)
    }

    /// Whether a page was written with the key under this page number and is unchanged.
    func isAuthentic(_ page: some Swift.Collection<UInt8>, number: Int) -> Bool {
        guard PageLayout.isPageSize(page.count), let number = UInt32(exactly: number) else {
            return false
        }
        var bytes = Array(page)
        return bytes.withUnsafeMutableBytes { cipher.isAuthentic($0, number: number) }
    }

    /// Decrypts a page; its reserved bytes are zeros. Nil if the page is not authentic.
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
