public import DataFileCore
internal import SQLCore
internal import StoreFormat

// A write-ahead log (https://www.sqlite.org/fileformat2.html#walformat). Numbers are big-endian.
//
//   0  u32 377f0682, or …83 if checksums read big-endian words | u32 3007000
//   8  u32 page size | u32 checkpoint sequence number | u32 salt | u32 salt | u32 u32 checksum
//   32 for each frame: u32 page | u32 pages of the file after this commit, else 0
//      | u32 salt | u32 salt | u32 u32 checksum of all before it | the page

/// The pages of committed transactions that have not been checkpointed.
struct RawWAL {
    let pageSize: Int
    /// Whether checksums read big-endian words.
    private let isBigEndian: Bool
    /// The offset in the WAL of each page's last committed content.
    private(set) var offsets: [Int: Int] = [:]
    /// The number of pages of the file after the last commit; nil if there is none.
    private(set) var pageCount: Int?
    /// The number of bytes after the last valid frame that have this WAL's salt.
    private(set) var unreadBytes = 0
    /// The end of the last valid frame.
    private(set) var end = 32

    /// Returns nil if the WAL is empty or its header is damaged, so that none of its frames can be
    /// checked.
    ///
    /// - Parameter isSound: whether the number and bytes of a page are authentic, given that its
    ///     checksum is valid.
    init?(_ file: RawFile, isSound: (Int, ArraySlice<UInt8>) -> Bool = { _, _ in true }) {
        guard let header = file.read(at: 0, count: 32) else { return nil }
        let raw = RawBytes(header)
        guard let magic = raw.number32(0), magic & ~1 == 0x377f_0682,
            raw.number32(4) == 3_007_000, let size = raw.number32(8),
            PageGeometry.isPageSize(size)
        else { return nil }
        pageSize = size
        isBigEndian = magic & 1 == 1
        let sum = adding(header[..<24], to: .zero)
        guard sum == Self.checksum(header[24..<32]) else { return nil }
        readFrames(file, salt: Array(header[16..<24]), sum, isSound)
    }

    /// Reads frames up to the first invalid one, as SQLite does.
    private mutating func readFrames(
        _ file: RawFile, salt: [UInt8], _ first: WALChecksum,
        _ isSound: (Int, ArraySlice<UInt8>) -> Bool
    ) {
        var (sum, offset) = (first, 32)
        var pending: [Int: Int] = [:]
        while let frame = file.read(at: offset, count: 24 + pageSize) {
            let raw = RawBytes(frame)
            sum = adding(frame[24...], to: adding(frame[..<8], to: sum))
            guard frame[8..<16].elementsEqual(salt), sum == Self.checksum(frame[16..<24]),
                let page = raw.number32(0), page > 0, let count = raw.number32(4),
                isSound(page, frame[24...])
            else {
                if frame[8..<16].elementsEqual(salt) { unreadBytes = file.size - offset }
                return
            }
            pending[page] = offset + 24
            if count > 0 {
                offsets.merge(pending) { $1 }
                pending = [:]
                pageCount = count
            }
            offset += 24 + pageSize
            end = offset
        }
        // A frame that is incomplete.
        if file.size - offset >= 24,
            file.read(at: offset, count: 24)?[8..<16].elementsEqual(salt) == true
        {
            unreadBytes = file.size - offset
        }
    }

    private func adding(_ bytes: ArraySlice<UInt8>, to sum: WALChecksum) -> WALChecksum {
        bytes.withUnsafeBytes { sum.adding($0, isBigEndian: isBigEndian) }
    }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> WALChecksum {
        bytes.withUnsafeBytes { WALChecksum($0) }
    }
}

extension DataFile {
    /// The number of bytes at the end of the WAL that SQLite does not read although they have this
    /// WAL's salt: a crash has interrupted their writer, or their transaction was rolled back.
    ///
    /// ```swift
    /// if file.unreadWALBytes > 0 {
    ///     show("\(file.unreadWALBytes) bytes of the WAL do not belong to a committed transaction")
    /// }
    /// ```
    ///
    /// It is of interest after a crash, to distinguish a transaction that was never committed from
    /// one that was lost. Each access reads the WAL file. Frames that another process is writing
    /// are counted, too.
    public var unreadWALBytes: Int {
        RawFile(BundlePath(path).wal).flatMap { RawWAL($0) }?.unreadBytes ?? 0
    }
}
