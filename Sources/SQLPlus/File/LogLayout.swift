/// Where what is in a write-ahead log: a header, then frames, each with a header of its own and a
/// page (SQLite's file format, 4.1).
enum LogLayout {
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
