import SampleData
import Testing

import KVToolCore

@Suite("A line of values")
struct CSVTests {
    private func line(_ values: [String], _ separator: UInt8 = CSV.comma) -> String {
        String(decoding: CSV.line(values, separator), as: UTF8.self)
    }

    @Test("quotes what would be taken for something else")
    func quotes() {
        #expect(line(["a", "b c", ""]) == "a,b c,\n")
        #expect(
            line(["a,b", "say \"x\"", "1\n2", "3\r4"])
                == "\"a,b\",\"say \"\"x\"\"\",\"1\n2\",\"3\r4\"\n")
        #expect(line(["a,b", "a\tb"], CSV.tab) == "a,b\t\"a\tb\"\n")
        #expect(line([]) == "\n")
    }

    @Test("is read back by the rules of RFC 4180", arguments: [CSV.comma, CSV.tab])
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

    /// A reader of one record, as short as the rules are.
    private static func read(_ line: String, _ separator: UInt8) -> [String] {
        var values: [String] = []
        var value: [UInt8] = []
        var isQuoted = false
        for byte in line.utf8.dropLast() {
            if byte == 0x22 {
                // Of two in a row the first one ends the quotes, the second begins them again.
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
