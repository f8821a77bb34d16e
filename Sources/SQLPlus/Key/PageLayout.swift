/// The salt: the first 16 bytes of an encrypted file, random and not secret. It makes the keys that
/// are derived from a passphrase different for each file.
struct FileSalt: Hashable, Sendable {
    static let length = 16

    private let high: UInt64
    private let low: UInt64

    /// Takes the first 16 bytes, padded with zeros.
    init(_ bytes: some Sequence<UInt8>) {
        var words: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes.prefix(Self.length).enumerated() {
            let shifted = UInt64(byte) << UInt64(56 - 8 * (index % 8))
            if index < 8 { words.0 |= shifted } else { words.1 |= shifted }
        }
        (high, low) = words
    }

    static func random() -> FileSalt {
        var generator = SystemRandomNumberGenerator()
        return FileSalt(high: generator.next(), low: generator.next())
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    var bytes: [UInt8] {
        [high, low].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
        }
    }

    /// The first bytes of a database that is not encrypted.
    static let plain = FileSalt(PageLayout.magic)
}

/// The page format of SQLCipher 4: `ciphertext | IV | HMAC` in each page, and in the first page the
/// salt instead of the first 16 bytes of the header.
enum PageLayout {
    /// The number of reserved bytes at the end of each page.
    static let reserve = ivLength + code
    /// The length of the initialization vector (IV) of AES-CBC.
    static let ivLength = 16
    /// The HMAC-SHA512 of ciphertext, IV, and the page's number as a little-endian UInt32.
    static let code = 64
    /// The page sizes with at least 480 bytes, which SQLite requires, besides the reserve; the
    /// usual one first.
    static let sizes = [4096, 1024, 2048, 8192, 16_384, 32_768, 65_536]
    /// The first 16 bytes of each plaintext database, the last of which is 0.
    static let magic = Array("SQLite format 3".utf8) + [0]
    /// The offset in the database header of the number of reserved bytes per page.
    static let reserveOffset = 20
    /// The offset in the database header of the number of pages.
    static let countOffset = 28
    /// The length of the database header.
    static let header = 100

    /// The page size in a database header, where it has two bytes; 1 stands for 65,536.
    static func statedSize(_ header: UnsafeRawBufferPointer) -> Int {
        Int(header[16]) << 8 | Int(header[17]) << 16
    }

    static func isPageSize(_ count: Int) -> Bool {
        count >= 1024 && count <= 65_536 && count & (count - 1) == 0
    }
}
