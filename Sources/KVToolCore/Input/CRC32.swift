internal import StorePlatform

/// The CRC-32 of ZIP, PNG and Ethernet, which detects accidental changes.
struct CRC32 {
    private var state: UInt32 = 0xFFFF_FFFF

    /// Four tables, to process four bytes at a time.
    private static let tables: [UInt32] = {
        var tables: [UInt32] = []
        for byte in UInt32(0)..<256 {
            tables.append(
                (0..<8).reduce(byte) { crc, _ in
                    crc & 1 == 0 ? crc >> 1 : crc >> 1 ^ 0xEDB8_8320
                })
        }
        for index in 256..<1024 {
            let before = tables[index - 256]
            tables.append(before >> 8 ^ tables[Int(before & 0xFF)])
        }
        return tables
    }()

    /// The checksum of the bytes added so far.
    var value: UInt32 { ~state }

    /// The checksum in eight hexadecimal digits.
    var text: String { Hexadecimal.encoded(value, digits: 8) }

    /// Adds bytes.
    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        Self.tables.withUnsafeBufferPointer { tables in
            var crc = state
            var index = 0
            while bytes.count - index >= 4 {
                crc ^= bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self).littleEndian
                crc =
                    tables[768 + Int(crc & 0xFF)] ^ tables[512 + Int(crc >> 8 & 0xFF)]
                    ^ tables[256 + Int(crc >> 16 & 0xFF)] ^ tables[Int(crc >> 24)]
                index += 4
            }
            while index < bytes.count {
                crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
                index += 1
            }
            state = crc
        }
    }
}
