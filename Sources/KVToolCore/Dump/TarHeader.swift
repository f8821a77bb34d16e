// # The archive format: POSIX (`pax`, ustar)
//
// Each file is a block of 512 bytes, then its bytes, padded with zeros to whole blocks. Two blocks
// of zeros are the end. In the header block, strings end with a zero byte, and numbers are octal:
//
//     0  100  name            124  12  size             257   6  "ustar", 0
//     100  8  permissions     136  12  time             263   2  "00"
//     108  8  user            148   8  checksum         345 155  prefix of the name
//     116  8  group           156   1  type
//
// The checksum is the sum of the block's bytes, with spaces in its own field. A size of 8 GiB or
// more has the first bit of its field set and is a big-endian binary number (GNU and BSD), or is
// the property `size` of a preceding file of type x (POSIX).

/// The header of a file in an archive.
struct TarHeader {
    /// The path in the archive.
    var name: String
    /// The size in bytes.
    var size: Int
    /// The type: `0` is a file, `x` contains properties of the next file.
    var type: UInt8

    /// The size of a block in bytes.
    static let block = 512

    /// Whether it is a file.
    var isFile: Bool { type == UInt8(ascii: "0") || type == 0 || type == UInt8(ascii: "7") }

    init(file name: String, size: Int) {
        (self.name, self.size, type) = (name, size, UInt8(ascii: "0"))
    }

    /// Parses a block; nil if it is not a header, or damaged.
    init?(_ block: UnsafeRawBufferPointer) {
        guard block.count == Self.block, block[257..<262].elementsEqual("ustar".utf8),
            Self.octal(block[148..<156]) == Self.sum(block), let size = Self.size(block[124..<136])
        else { return nil }
        let name = String(decoding: block[0..<100].prefix { $0 != 0 }, as: UTF8.self)
        // GNU uses the field of the prefix for other data.
        let beginning = block[262] == 0 ? block[345..<500].prefix { $0 != 0 } : block[0..<0]
        self.name =
            beginning.isEmpty
            ? name : String(decoding: beginning, as: UTF8.self) + "/" + name
        self.size = size
        type = block[156]
    }

    /// The encoded block. The name must have fewer than 100 bytes.
    var bytes: [UInt8] {
        var block = [UInt8](repeating: 0, count: Self.block)
        func put(_ text: String, _ offset: Int) {
            for (index, byte) in text.utf8.enumerated() { block[offset + index] = byte }
        }
        put(String(name.utf8.prefix(99).map { Character(UnicodeScalar($0)) }), 0)
        put("0000644", 100)
        put("0000000", 108)
        put("0000000", 116)
        put("00000000000", 136)
        block[156] = type
        put("ustar", 257)
        put("00", 263)
        if size < 1 << 33 {
            put(Self.octal(size, digits: 11), 124)
        } else {
            for index in 0..<8 { block[135 - index] = UInt8(size >> (8 * index) & 0xFF) }
            block[124] = 0x80
        }
        let sum = block.withUnsafeBytes { Self.sum($0) }
        put(Self.octal(sum, digits: 6), 148)
        block[155] = UInt8(ascii: " ")
        return block
    }

    /// The number of zeros that follow a file of this size.
    static func padding(_ size: Int) -> Int { (block - size % block) % block }

    private static func octal(_ number: Int, digits: Int) -> String {
        let text = String(number, radix: 8)
        return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
    }

    private static func octal(_ field: Slice<UnsafeRawBufferPointer>) -> Int? {
        let digits = field.drop { $0 == 0x20 }.prefix { (0x30...0x37).contains($0) }
        guard !digits.isEmpty else { return nil }
        // At most 12 digits, so that this does not overflow.
        return digits.reduce(0) { $0 << 3 | Int($1 - 0x30) }
    }

    private static func size(_ field: Slice<UnsafeRawBufferPointer>) -> Int? {
        guard field.first == 0x80 else { return octal(field) }
        let bytes = field.dropFirst()
        guard bytes.dropLast(8).allSatisfy({ $0 == 0 }) else { return nil }
        let number = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // At most half of the range, so that sums do not overflow.
        return number <= UInt64(Int.max / 2) ? Int(number) : nil
    }

    private static func sum(_ block: UnsafeRawBufferPointer) -> Int {
        let all = block.reduce(0) { $0 + Int($1) }
        return block[148..<156].reduce(all) { $0 - Int($1) } + 8 * 0x20
    }
}
