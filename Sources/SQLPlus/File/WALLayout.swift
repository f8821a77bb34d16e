/// The layout of a WAL: a header, then frames, each with a frame header and a page (SQLite's file
/// format, 4.1).
enum WALLayout {
    static let header = 32
    static let frameHeader = 24
    /// The offset of the salts in the WAL header.
    static let headerSalts = 16
    /// The offset of the checksum in the WAL header.
    static let headerChecksum = 24
    /// The length of the part of a frame header that its checksum covers: the page number and the
    /// size of the database.
    static let covered = 8
    /// The range of the WAL's salts in a frame header.
    static let salts = 8..<16
    /// The offset of the checksum in a frame header.
    static let checksum = 16
    /// The first four bytes; the lowest bit is set if checksums are computed over big-endian words.
    static let magic: UInt32 = 0x377F_0682

    /// A location in a WAL.
    struct Location {
        /// The index of the frame, from 0.
        let frame: Int
        /// The offset from the beginning of the frame.
        let offset: Int
    }

    static func frameSize(_ pageSize: Int) -> Int { frameHeader + pageSize }

    static func offset(ofFrame frame: Int, _ pageSize: Int) -> Int64 {
        Int64(header) + Int64(frame) * Int64(frameSize(pageSize))
    }

    /// The location of an offset in the file; nil in the WAL header.
    static func location(_ offset: Int64, _ pageSize: Int) -> Location? {
        guard offset >= header, pageSize > 0 else { return nil }
        let size = Int64(frameSize(pageSize))
        let (frame, rest) = (offset - Int64(header)).quotientAndRemainder(dividingBy: size)
        return Location(frame: Int(frame), offset: Int(rest))
    }
}

/// The wal-index, in memory that the connections of a database share: the page number of each frame
/// (SQLite's documentation of the format, "WAL-Index Format").
struct WALIndex {
    /// The first region begins with the headers, so it has fewer frames.
    private static let framesInFirst = 4062
    private static let framesInRegion = 4096
    private static let headers = 136

    private var regions: [UnsafeRawPointer?] = []

    /// Records a region that was mapped.
    mutating func note(_ memory: UnsafeRawPointer?, region: Int) {
        guard region >= 0, region < 1 << 20 else { return }
        while regions.count <= region { regions.append(nil) }
        regions[region] = memory
    }

    /// Removes all regions, which are no longer mapped.
    mutating func forget() { regions = [] }

    /// The page number of a frame; nil if the index is not in shared memory.
    ///
    /// Valid only for frames that the current snapshot can read, which no connection changes.
    ///
    /// - Parameter frame: The index of the frame, from 0.
    func page(ofFrame frame: Int) -> UInt32? {
        let region =
            frame < Self.framesInFirst
            ? 0 : (frame - Self.framesInFirst) / Self.framesInRegion + 1
        let index =
            region == 0
            ? frame : (frame - Self.framesInFirst) % Self.framesInRegion
        guard region < regions.count, let memory = regions[region] else { return nil }
        let start = region == 0 ? Self.headers : 0
        let page = memory.load(fromByteOffset: start + 4 * index, as: UInt32.self)
        return page == 0 ? nil : page
    }
}
