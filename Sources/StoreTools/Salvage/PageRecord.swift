// A record (https://www.sqlite.org/fileformat2.html#record_format): a varint with the length of the
// header including itself; in the header a varint with the type of each column; then the values:
//
//   0 NULL · 1–6 integers of 1, 2, 3, 4, 6, 8 bytes · 7 double · 8, 9 the integers 0 and 1
//   12, 14, … blobs of (n−12)/2 bytes · 13, 15, … strings of (n−13)/2 bytes

/// A record with a valid header, and the bytes of it that are known.
struct PageRecord {
    /// The type of a value.
    enum Kind {
        case null, integer, double, blob, text
    }

    /// The maximum length of a record: SQLite's own limit.
    static let maximumSize = 1_000_000_000
    /// The maximum column count, higher than that of any table of interest.
    static let maximumColumns = 16

    private(set) var bytes: RawBytes
    let kinds: [Kind]
    private let ranges: [Range<Int>]
    private let serials: [Int64]

    /// Reads the header. `size` is the length of the whole record, of which `bytes` are the first
    /// part.
    ///
    /// Returns nil if the header exceeds `bytes` or implies another size.
    init?(_ bytes: [UInt8], size: Int) {
        let raw = RawBytes(bytes)
        guard let (headerSize, first) = raw.varint(0, limit: bytes.count),
            headerSize >= 1, headerSize <= bytes.count
        else { return nil }
        var (position, start) = (first, Int(headerSize))
        var (kinds, ranges, serials): ([Kind], [Range<Int>], [Int64]) = ([], [], [])
        while position < headerSize {
            guard let (serial, end) = raw.varint(position, limit: Int(headerSize)),
                let (kind, length) = Self.type(serial), kinds.count < Self.maximumColumns,
                length <= size - start
            else { return nil }
            kinds.append(kind)
            serials.append(serial)
            ranges.append(start..<(start + length))
            start += length
            position = end
        }
        guard start == size else { return nil }
        self.bytes = raw
        self.kinds = kinds
        self.ranges = ranges
        self.serials = serials
    }

    /// The same record with all its bytes.
    func completed(_ bytes: [UInt8]) -> PageRecord {
        var whole = self
        whole.bytes = RawBytes(bytes)
        return whole
    }

    /// The bytes of a column; nil if they are not all known.
    func bytes(_ column: Int) -> [UInt8]? { bytes.slice(ranges[column]) }

    /// The string in a column; nil if the value is not a string, not UTF-8, or not known.
    func text(_ column: Int) -> String? {
        guard kinds[column] == .text, let bytes = bytes(column) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The integer in a column; nil if the value is not an integer or not known.
    func integer(_ column: Int) -> Int64? {
        guard kinds[column] == .integer else { return nil }
        switch serials[column] {
        case 8: return 0
        case 9: return 1
        default:
            guard let bytes = bytes(column), let first = bytes.first else { return nil }
            return bytes.dropFirst().reduce(Int64(Int8(bitPattern: first))) {
                $0 << 8 | Int64($1)
            }
        }
    }

    private static func type(_ serial: Int64) -> (Kind, Int)? {
        switch serial {
        case 0: (.null, 0)
        case 1...4: (.integer, Int(serial))
        case 5: (.integer, 6)
        case 6: (.integer, 8)
        case 7: (.double, 8)
        case 8, 9: (.integer, 0)
        case 12...(Int64(maximumSize) * 2):
            (serial % 2 == 0 ? .blob : .text, Int(serial - 12) / 2)
        default: nil
        }
    }
}

/// Reads numbers from bytes that may be damaged: nil past their end.
struct RawBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> Int? {
        bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
    }

    /// A big-endian 16-bit number.
    func number16(_ offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// A big-endian 32-bit number.
    func number32(_ offset: Int) -> Int? {
        guard let high = number16(offset), let low = number16(offset + 2) else { return nil }
        return high << 16 | low
    }

    /// An SQLite varint of 1 to 9 bytes (7 bits in each, the highest first, and 8 bits in the
    /// ninth), and its end.
    func varint(_ offset: Int, limit: Int) -> (value: Int64, end: Int)? {
        var value: UInt64 = 0
        for index in 0..<9 {
            guard offset >= 0, offset + index < min(limit, bytes.count) else { return nil }
            let byte = bytes[offset + index]
            if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), offset + 9) }
            value = value << 7 | UInt64(byte & 0x7F)
            if byte < 0x80 { return (Int64(bitPattern: value), offset + index + 1) }
        }
        return nil
    }

    func slice(_ range: Range<Int>) -> [UInt8]? {
        guard range.lowerBound >= 0, range.upperBound <= bytes.count else { return nil }
        return [UInt8](bytes[range])
    }
}
