internal import SQLCore
internal import SQLPlus

/// What is special about saving an encrypted database: its pages are read through the file system
/// that decrypts them, so that nothing plain comes to the disk.
enum EncryptedSalvage {
    /// Moves what the log of the copy holds into it, as far as it is sound.
    static func settle(_ work: BundlePath, _ key: EncryptionKey) throws {
        let context = try open(work, key)
        do {
            _ = try context.selectValue(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        } catch let error as SQLError where error.encryption == .wrongKeyOrNotADatabase {
            // Nothing can be read with this key, or the first page is lost, without which nobody
            // can tell the one from the other.
            throw error
        } catch is SQLError {
            // What cannot be moved is lost; the pages in the file are not.
        }
        try context.close()
    }

    /// The pages of the copy, decrypted; those that were changed without the key as zeros.
    static func pages(_ work: BundlePath, _ key: EncryptionKey) throws -> RawFile {
        let context = try open(work, key)
        let size = try context.fileLength()
        let pageSize = Int(try context.pragma("cipher_page_size")?.textValue ?? "") ?? 4096
        return RawFile(size: size) { offset, buffer in
            var done = 0
            while done < buffer.count {
                // No further than to the end of a page: others can be read.
                let count = min(buffer.count - done, pageSize - (offset + done) % pageSize)
                let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
                if (try? context.readFile(at: offset + done, into: part)) == nil {
                    part.initializeMemory(as: UInt8.self, repeating: 0)
                }
                done += count
            }
            return true
        }
    }

    private static func open(_ work: BundlePath, _ key: EncryptionKey) throws -> SQLContext {
        try SQLContext(
            path: work.database, flags: [.readWrite, .noMutex], configuration: .plus(key: key))
    }
}
