/// The form of SQLCipher 4: `ciphertext | initialization vector | HMAC` in each page, and in the
/// first one the salt in place of the first 16 bytes of the header.
enum PageLayout {
    /// Bytes at the end of each page that SQLite leaves free.
    static let reserve = vector + code
    /// The initialization vector of AES-CBC.
    static let vector = 16
    /// The HMAC-SHA512 of ciphertext, vector, and the page's number as a little-endian UInt32.
    static let code = 64
    /// Page sizes that leave 480 bytes, which SQLite needs, besides the reserve; the usual first.
    static let sizes = [4096, 1024, 2048, 8192, 16_384, 32_768, 65_536]
    /// The first 16 bytes of each plain database, the last of which is 0.
    static let magic = Array("SQLite format 3".utf8) + [0]
    /// Where the header of a database says how many bytes of each page are reserved.
    static let reserveOffset = 20
    /// Where the header of a database says how many pages it has.
    static let countOffset = 28
    /// How long the header of a database is.
    static let header = 100

    /// The size of the pages that the header of a database says, in two bytes; 1 is 65,536.
    static func statedSize(_ header: UnsafeRawBufferPointer) -> Int {
        Int(header[16]) << 8 | Int(header[17]) << 16
    }

    static func isPageSize(_ count: Int) -> Bool {
        count >= 1024 && count <= 65_536 && count & (count - 1) == 0
    }
}
