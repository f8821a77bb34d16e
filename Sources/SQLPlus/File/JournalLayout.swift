/// Where what is in a rollback journal: headers of a sector each, and behind each of them records
/// of page number, page and checksum (SQLite's file format, 3).
enum JournalLayout {
    static let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The fields of a header.
    static let header = 28
    static let recordCount = 8
    static let nonce = 12
    static let pageCount = 16
    static let sectorSize = 20
    static let pageSize = 24
    /// A page number, or a checksum.
    static let word = 4
    /// The size of a header where a write leaves the bytes around it alone.
    static let sector = 512

    static func recordSize(_ pageSize: Int) -> Int { word + pageSize + word }

    /// What a page adds to the nonce of its journal: every 200th byte from its end on.
    static func sum(_ page: UnsafeRawBufferPointer) -> UInt32 {
        var sum: UInt32 = 0
        var place = page.count - 200
        while place > 0 {
            sum &+= UInt32(page[place])
            place -= 200
        }
        return sum
    }
}
