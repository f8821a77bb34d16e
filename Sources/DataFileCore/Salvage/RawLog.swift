// A write-ahead log (https://www.sqlite.org/fileformat2.html#walformat), numbers big-endian:
//
//   0  u32 377f0682, or …83 where checksums take their words as big-endian | u32 3007000
//   8  u32 page size | u32 how often it began anew | u32 salt | u32 salt | u32 u32 checksum
//   32 for each frame: u32 page | u32 pages of the file after this commit, else 0
//      | u32 salt | u32 salt | u32 u32 checksum of all before it | the page

/// The pages of committed transactions that have not been moved into the file.
struct RawLog {
    let pageSize: Int
    /// Where a page's latest committed content is in the log.
    private(set) var places: [Int: Int] = [:]
    /// How many pages the file has after the last commit, nil if there is none.
    private(set) var pageCount: Int?
    /// Bytes behind the last sound frame that say that they belong to the log.
    private(set) var unreadBytes = 0

    /// Nil if the log is empty, or its header is damaged: then nothing in it is known to be true.
    init?(_ file: RawFile) {
        guard let header = file.read(at: 0, count: 32) else { return nil }
        let raw = RawBytes(header)
        guard let magic = raw.number32(0), magic & ~1 == 0x377f_0682,
            raw.number32(4) == 3_007_000, let size = raw.number32(8),
            PageGeometry.isPageSize(size)
        else { return nil }
        pageSize = size
        var sum = Checksum(isBigEndian: magic & 1 == 1)
        sum.add(header[..<24])
        guard sum.isEqual(raw, 24) else { return nil }
        readFrames(file, salt: Array(header[16..<24]), sum)
    }

    /// Up to the first frame that is not sound, as SQLite reads it.
    private mutating func readFrames(_ file: RawFile, salt: [UInt8], _ first: Checksum) {
        var (sum, offset) = (first, 32)
        var pending: [Int: Int] = [:]
        while let frame = file.read(at: offset, count: 24 + pageSize) {
            let raw = RawBytes(frame)
            sum.add(frame[..<8])
            sum.add(frame[24...])
            guard frame[8..<16].elementsEqual(salt), sum.isEqual(raw, 16),
                let page = raw.number32(0), page > 0, let count = raw.number32(4)
            else {
                if frame[8..<16].elementsEqual(salt) { unreadBytes = file.size - offset }
                return
            }
            pending[page] = offset + 24
            if count > 0 {
                places.merge(pending) { $1 }
                pending = [:]
                pageCount = count
            }
            offset += 24 + pageSize
        }
        // A frame that is not all there.
        if file.size - offset >= 24,
            file.read(at: offset, count: 24)?[8..<16].elementsEqual(salt) == true
        {
            unreadBytes = file.size - offset
        }
    }

    private struct Checksum {
        let isBigEndian: Bool
        private var sums: (UInt32, UInt32) = (0, 0)

        init(isBigEndian: Bool) {
            self.isBigEndian = isBigEndian
        }

        mutating func add(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                for offset in stride(from: 0, to: bytes.count - 7, by: 8) {
                    sums.0 &+= word(bytes, offset) &+ sums.1
                    sums.1 &+= word(bytes, offset + 4) &+ sums.0
                }
            }
        }

        private func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
            let word = bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)
            return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
        }

        func isEqual(_ raw: RawBytes, _ offset: Int) -> Bool {
            raw.number32(offset) == Int(sums.0) && raw.number32(offset + 4) == Int(sums.1)
        }
    }
}
