internal import DataFileCore
internal import SQLCore
internal import StoreFormat

/// Recovery from an encrypted database. Pages are decrypted one by one in memory, so that no
/// plaintext reaches the disk. A page that was changed without the key is lost, and only that page.
struct EncryptedSalvage {
    private let reader: any EncryptedPageReader
    private let file: RawFile
    private let walFile: RawFile?
    private let wal: RawWAL?
    private let pageSize: Int

    /// Prepares a copy of a damaged database: rolls back its journal, and truncates its WAL before
    /// the first frame that was changed without the key.
    ///
    /// Throws `EncryptionError.wrongKeyOrNotADatabase` if no page can be decrypted with the key.
    init(_ work: BundlePath, _ key: any DatabaseKey) throws {
        let wal = work.database + "-wal"
        if FileSystem.size(work.journal) > 0, FileSystem.size(wal) == 0 {
            Self.playBack(work, key)
        }
        guard let file = RawFile(work.database) else {
            throw FileSystem.failure("\(work.database) cannot be read")
        }
        let salt = file.read(at: 0, count: key.saltLength)
        let reader = try key.pageReader(salt: salt ?? Self.salt(inWAL: wal, key.saltLength))
        self.file = file
        self.reader = reader
        walFile = RawFile(wal)
        self.wal = walFile.flatMap {
            RawWAL($0) { number, page in reader.isAuthentic(page, number: number) }
        }
        let size = self.wal.flatMap { $0.offsets.isEmpty ? nil : $0.pageSize }
        guard let size = size ?? Self.pageSize(file, reader) else {
            throw EncryptionError.wrongKeyOrNotADatabase
        }
        pageSize = size
        if let walFile, let found = self.wal, found.end < walFile.size {
            try FileSystem.cut(wal, to: found.end)
        }
    }

    /// The decrypted pages. Pages that cannot be decrypted are filled with zeros.
    var pages: RawPages {
        let size = max(file.size, (wal?.pageCount ?? 0) * pageSize)
        let plain = RawFile(size: min(size, most)) { offset, buffer in fill(buffer, offset) }
        return RawPages(
            plain, wal: nil,
            geometry: PageGeometry(pageSize: pageSize, reserved: reader.reservedBytes))
    }

    /// The maximum size, since a forged WAL could name any number of pages.
    private var most: Int { file.size + (wal?.offsets.count ?? 0) * 64 * pageSize }

    private func fill(_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Bool {
        var done = 0
        while done < buffer.count {
            let (page, start) = (offset + done).quotientAndRemainder(dividingBy: pageSize)
            let count = min(pageSize - start, buffer.count - done)
            let part = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
            if let bytes = self.page(page + 1) {
                part.copyBytes(from: bytes[start..<start + count])
            } else {
                part.initializeMemory(as: UInt8.self, repeating: 0)
            }
            done += count
        }
        return true
    }

    private func page(_ number: Int) -> [UInt8]? {
        let sealed =
            if let offset = wal?.offsets[number] {
                walFile?.read(at: offset, count: pageSize)
            } else {
                file.read(at: (number - 1) * pageSize, count: pageSize)
            }
        return sealed.flatMap { reader.open($0, number: number) }
    }
}

// Preparation of the copy.
extension EncryptedSalvage {
    private static func playBack(_ work: BundlePath, _ key: any DatabaseKey) {
        guard let configuration = try? key.encrypting(.platform) else { return }
        let context = try? SQLContext(
            path: work.database, flags: [.readWrite, .noMutex], configuration: configuration)
        // If the rollback fails, its pages are lost, but not the pages in the file.
        _ = try? context?.selectValue(sql: "SELECT count(*) FROM sqlite_master")
        try? context?.close()
    }

    /// The salt of a database of which nothing was checkpointed yet: its first page is in the WAL
    /// and begins with the salt.
    private static func salt(inWAL path: String, _ length: Int) -> [UInt8] {
        guard let file = RawFile(path), let wal = RawWAL(file), let offset = wal.offsets[1] else {
            return []
        }
        return file.read(at: offset, count: length) ?? []
    }

    /// The page size with which the first page, or if it is damaged another page, can be decrypted.
    private static func pageSize(_ file: RawFile, _ reader: any EncryptedPageReader) -> Int? {
        reader.pageSizes.first { size in
            let count = file.size / size
            let others = stride(from: 2, through: count, by: max(1, count / samples))
            return ([1] + Array(others)).contains { number in
                file.read(at: (number - 1) * size, count: size)
                    .map { reader.isAuthentic($0, number: number) } ?? false
            }
        }
    }

    /// The number of pages that are tried for each size.
    private static let samples = 200
}
