internal import DataFileCore
internal import SQLCore
internal import StoreFormat

/// What is special about saving an encrypted database: its pages are decrypted one by one in
/// memory, so that nothing plain comes to the disk, and one that was changed without the key is
/// lost alone.
struct EncryptedSalvage {
    private let reader: any EncryptedPageReader
    private let file: RawFile
    private let walFile: RawFile?
    private let wal: RawWAL?
    private let pageSize: Int

    /// Makes a copy of a damaged database ready: what a journal of it holds is played back, and its
    /// log is cut before the first frame that was changed without the key.
    ///
    /// Throws `EncryptionError.wrongKeyOrNotADatabase` if no page belongs to the key.
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
        let size = self.wal.flatMap { $0.places.isEmpty ? nil : $0.pageSize }
        guard let size = size ?? Self.pageSize(file, reader) else {
            throw EncryptionError.wrongKeyOrNotADatabase
        }
        pageSize = size
        if let walFile, let found = self.wal, found.end < walFile.size {
            try FileSystem.cut(wal, to: found.end)
        }
    }

    /// The pages, decrypted; those that cannot be as zeros.
    var pages: RawPages {
        let size = max(file.size, (wal?.pageCount ?? 0) * pageSize)
        let plain = RawFile(size: min(size, most)) { offset, buffer in fill(buffer, offset) }
        return RawPages(
            plain, wal: nil,
            geometry: PageGeometry(pageSize: pageSize, reserved: reader.reservedBytes))
    }

    /// A forged log could name any number of pages.
    private var most: Int { file.size + (wal?.places.count ?? 0) * 64 * pageSize }

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
            if let place = wal?.places[number] {
                walFile?.read(at: place, count: pageSize)
            } else {
                file.read(at: (number - 1) * pageSize, count: pageSize)
            }
        return sealed.flatMap { reader.open($0, number: number) }
    }
}

// Making the copy ready.
extension EncryptedSalvage {
    private static func playBack(_ work: BundlePath, _ key: any DatabaseKey) {
        guard let configuration = try? key.encrypting(.platform) else { return }
        let context = try? SQLContext(
            path: work.database, flags: [.readWrite, .noMutex], configuration: configuration)
        // What cannot be played back is lost; the pages in the file are not.
        _ = try? context?.selectValue(sql: "SELECT count(*) FROM sqlite_master")
        try? context?.close()
    }

    /// Where nothing was moved into the file yet, the first page that the log has begins with it.
    private static func salt(inWAL path: String, _ length: Int) -> [UInt8] {
        guard let file = RawFile(path), let wal = RawWAL(file), let place = wal.places[1] else {
            return []
        }
        return file.read(at: place, count: length) ?? []
    }

    /// The size with which pages of the file belong to the key: the first one, or if that is
    /// damaged some other.
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

    /// Pages that are looked at for each size.
    private static let samples = 200
}
