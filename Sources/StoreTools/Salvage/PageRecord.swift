// A record (https://www.sqlite.org/fileformat2.html#record_format): a varint, the length of the
// header with itself; in the header a varint for each column, its type; then the values:
//
//   0 NULL · 1–6 integers of 1, 2, 3, 4, 6, 8 bytes · 7 double · 8, 9 the numbers 0 and 1
//   12, 14, … blobs of (n−12)/2 bytes · 13, 15, … text of (n−13)/2 bytes

/// A record whose header is sound, with as many of its bytes as are known.
struct PageRecord {
    /// The kinds that are told apart.
    enum Kind {
        case null, integer, double, blob, text
    }

    /// No longer one is believed: SQLite's own limit.
    static let maximumSize = 1_000_000_000
    /// More columns than any table that is looked for has.
    static let maximumColumns = 16

    private(set) var bytes: RawBytes
    let kinds: [Kind]
    private let ranges: [Range<Int>]
    private let serials: [Int64]

    /// Reads the header; `size` is that of the whole record, of which `bytes` are the first.
    ///
    /// Nil if the header does not lie within them, or says another size.
    init?(_ bytes: [UInt8], size: Int) {
        let raw = RawBytes(bytes)
        guard let (headerSize, first) = raw.varint(0, limit: bytes.count),
            headerSize >= 1, headerSize <= bytes.count
        else { return nil }
        var (place, start) = (first, Int(headerSize))
        var (kinds, ranges, serials): ([Kind], [Range<Int>], [Int64]) = ([], [], [])
        while place < headerSize {
            guard let (serial, end) = raw.varint(place, limit: Int(headerSize)),
                let (kind, length) = Self.type(serial), kinds.count < Self.maximumColumns,
                length <= size - start
            else { return nil }
            kinds.append(kind)
            serials.append(serial)
            ranges.append(start..<(start + length))
            start += length
            place = end
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

    /// A column's bytes, nil if they are not all known.
    func bytes(_ column: Int) -> [UInt8]? { bytes.slice(ranges[column]) }

    /// A column's text, nil if it is none, not UTF-8, or not known.
    func text(_ column: Int) -> String? {
        guard kinds[column] == .text, let bytes = bytes(column) else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }

    /// A column's integer, nil if it is none or not known.
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

/// Numbers in bytes that may be damaged: nil beyond their end.
struct RawBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    func byte(_ offset: Int) -> Int? {
        bytes.indices.contains(offset) ? Int(bytes[offset]) : nil
    }

    /// Two bytes, the higher first.
    func number16(_ offset: Int) -> Int? {
        guard offset >= 0, offset + 2 <= bytes.count else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// Four bytes, the highest first.
    func number32(_ offset: Int) -> Int? {
        guard let high = number16(offset), let low = number16(offset + 2) else { return nil }
        return high << 16 | low
    }

    /// SQLite's number of 1 to 9 bytes, 7 bits each and the highest first, all 8 of the ninth;
    /// and where it ends.
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
