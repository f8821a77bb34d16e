import Testing

import FleeceLite

@Suite("JSON reader: the end of the input")
struct JSONReaderBoundsTests {
    /// Long enough that it is read in place, without padding.
    private static let long = "\"" + String(repeating: "0123456789", count: 2000) + "\","

    static let ends = [
        "1]", "12345678]", "123456789012345678901234567890]",
        String(repeating: "1", count: 300), String(repeating: "1", count: 300) + "]",
        "0." + String(repeating: "7", count: 200) + "]", "-1.5e-7]", "1e", "1e+", "-", "0.",
        "true]", "tru", "null", "fals", "\"\"]", "\"a", "\"", "\"\\", "\"\\u00", "\"\\ud83d\\u",
        "\"" + String(repeating: "x", count: 500) + "\"]",
        "\"" + String(repeating: "x", count: 500) + "\\n\"]",
        "\"" + String(repeating: "x", count: 500), "\"ü", "{\"a\":1}]", "{\"a\"", "{\"a\":",
        "{\"a\":1,",
        "{\"" + String(repeating: "k", count: 300) + "\":1}]",
        "{\"" + String(repeating: "k", count: 300),
        "[[[[]]]]]", "[[[[", String(repeating: " ", count: 400) + "1]",
        "1" + String(repeating: "\n", count: 400),
        "1" + String(repeating: " ", count: 300) + "]" + String(repeating: " ", count: 300), "1] x",
        "1]]",
    ]

    /// The result of the reader for the padded text.
    private func outcome(_ text: [UInt8], _ read: ([UInt8]) throws -> [UInt8]) -> String {
        do { return hex(try read(text)) } catch { return "\(error)" }
    }

    @Test(
        "Nothing after the end is read, and the result is that of a short input", arguments: ends)
    func end(_ end: String) throws {
        let memory = try GuardedBuffer(capacity: 40_000)
        for filler in [0, 1, 7, 40, 64, 100, 127, 128, 129, 200] {
            let blanks = String(repeating: " ", count: filler)
            let text = Array("[\(Self.long)\(blanks)\(end)".utf8)
            let guarded = outcome(text) { text in
                var encoder = FleeceEncoder()
                try memory.withBytes(text) { _ = try encoder.writeJSON($0) }
                return try encoder.finish()
            }
            // Continued in a padded copy as soon as the first value has been read.
            let short = outcome(Array("[\(blanks)\(end)".utf8)) { text in
                var encoder = FleeceEncoder()
                try memory.withBytes(text) { _ = try encoder.writeJSON($0) }
                return try encoder.finish()
            }
            #expect(guarded.contains("at byte") == short.contains("at byte"), "\(guarded)")
            if guarded.contains("at byte") {
                #expect(message(guarded) == message(short))
                #expect(offset(guarded) == (offset(short) ?? 0) + Self.long.utf8.count)
            }
        }
    }

    private func message(_ error: String) -> Substring { error.prefix { $0 != "(" } }

    private func offset(_ error: String) -> Int? {
        Int(
            error.drop { !$0.isNumber || error.isEmpty }.split(separator: " ").last?.dropLast()
                ?? "")
    }

    @Test("A document truncated anywhere is an error, or the same without its last blanks")
    func truncation() throws {
        let memory = try GuardedBuffer(capacity: 40_000)
        let text = Array(
            ("[\(Self.long)" + #"{"name":"Ada","about":"ün\tï","n":[1,-2.5e3,true,null]},"#
                + #"{"name":"Bob","about":"long enough to be no short text","n":[]}]  "#).utf8)
        for count in stride(from: text.count, to: text.count - 150, by: -1) {
            var encoder = FleeceEncoder()
            let isWhole =
                code {
                    try memory.withBytes(Array(text.prefix(count))) {
                        _ = try encoder.writeJSON($0)
                    }
                } == nil
            #expect(isWhole == (count >= text.count - 2), "\(count) of \(text.count)")
        }
    }
}
