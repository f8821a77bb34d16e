/// The first 16 bytes of an encrypted file: random, and no secret. With them a passphrase gives
/// each file keys of its own.
struct FileSalt: Hashable, Sendable {
    static let length = 16

    private let high: UInt64
    private let low: UInt64

    /// The first 16 bytes; zeros for what is missing.
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
