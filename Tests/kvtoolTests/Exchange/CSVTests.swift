import SampleData
import Testing

import KVToolCore

@Suite("A CSV line")
struct CSVTests {
    private func line(_ values: [String], _ separator: UInt8 = CSV.comma) -> String {
        String(decoding: CSV.line(values, separator), as: UTF8.self)
    }

    @Test("quotes strings that would be read as another type")
    func quotes() {
        #expect(line(["a", "b c", ""]) == "a,b c,\n")
        #expect(
            line(["a,b", "say \"x\"", "1\n2", "3\r4"])
                == "\"a,b\",\"say \"\"x\"\"\",\"1\n2\",\"3\r4\"\n")
        #expect(line(["a,b", "a\tb"], CSV.tab) == "a,b\t\"a\tb\"\n")
        #expect(line([]) == "\n")
    }

    @Test("is parsed by the rules of RFC 4180", arguments: [CSV.comma, CSV.tab])
    func roundTrip(_ separator: UInt8) {
        let seed: UInt64 = 4180
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "é", "\"", ",", "\t", "\n", "\r\n", " ", "'", ""]
        for _ in 0..<500 {
            let values = (0..<(1 + random.below(5))).map { _ in
                (0..<random.below(6)).map { _ in random.pick(pieces) }.joined()
            }
            #expect(Self.read(line(values, separator), separator) == values, "seed \(seed)")
        }
    }

    /// A minimal parser of one record.
    private static func read(_ line: String, _ separator: UInt8) -> [String] {
        var values: [String] = []
        var value: [UInt8] = []
        var isQuoted = false
        for byte in line.utf8.dropLast() {
            if byte == 0x22 {
                // Of two quotes in a row, the first closes and the second reopens the quoted part.
                if !isQuoted, value.last == 0x00 { value[value.count - 1] = 0x22 }
                isQuoted.toggle()
                if !isQuoted { value.append(0x00) }
            } else {
                if value.last == 0x00 { value.removeLast() }
                if byte == separator, !isQuoted {
                    values.append(String(decoding: value, as: UTF8.self))
                    value = []
                } else {
                    value.append(byte)
                }
            }
        }
        if value.last == 0x00 { value.removeLast() }
        return values + [String(decoding: value, as: UTF8.self)]
    }
}
