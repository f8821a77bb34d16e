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
