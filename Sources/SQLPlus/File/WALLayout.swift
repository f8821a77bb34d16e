/// Where what is in a write-ahead log: a header, then frames, each with a header of its own and a
/// page (SQLite's file format, 4.1).
enum WALLayout {
    static let header = 32
    static let frameHeader = 24
    /// Where the salts stand in the log's header.
    static let headerSalts = 16
    /// Where the checksum stands in the log's header.
    static let headerChecksum = 24
    /// The part of a frame's header that its checksum covers: page number, size of the database.
    static let covered = 8
    /// Where the salts of the log stand in a frame's header.
    static let salts = 8..<16
    /// Where the checksum stands in a frame's header.
    static let checksum = 16
    /// The first four bytes; the lowest bit says that checksums are over big-endian words.
    static let magic: UInt32 = 0x377F_0682

    /// A place in a log whose pages have `pageSize` bytes.
    struct Place {
        /// Counted from 0.
        let frame: Int
        /// From the beginning of the frame.
        let offset: Int
    }

    static func frameSize(_ pageSize: Int) -> Int { frameHeader + pageSize }

    static func offset(ofFrame frame: Int, _ pageSize: Int) -> Int64 {
        Int64(header) + Int64(frame) * Int64(frameSize(pageSize))
    }

    /// Nil within the log's header.
    static func place(_ offset: Int64, _ pageSize: Int) -> Place? {
        guard offset >= header, pageSize > 0 else { return nil }
        let size = Int64(frameSize(pageSize))
        let (frame, rest) = (offset - Int64(header)).quotientAndRemainder(dividingBy: size)
        return Place(frame: Int(frame), offset: Int(rest))
    }
}

/// The index of a log, in memory that the connections of a database share: which page each frame
/// has (SQLite's documentation of the format, "WAL-Index Format").
struct WALIndex {
    /// In the first region come the headers first, so that there are fewer frames in it.
    private static let framesInFirst = 4062
    private static let framesInRegion = 4096
    private static let headers = 136

    private var regions: [UnsafeRawPointer?] = []

    /// Remembers a region that was mapped.
    mutating func note(_ memory: UnsafeRawPointer?, region: Int) {
        guard region >= 0, region < 1 << 20 else { return }
        while regions.count <= region { regions.append(nil) }
        regions[region] = memory
    }

    /// Forgets all regions, which are no longer mapped.
    mutating func forget() { regions = [] }

    /// The page of a frame, which is counted from 0; nil where the index is not shared.
    ///
    /// Only of frames that a reader may read, which nobody changes then.
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
