import SampleData
import Testing

@testable import FleeceLite

@Suite("Differential: random documents against the oracle")
struct DifferentialTests {
    /// For each line of JSON prints the oracle's encoding, without and with shared keys, and
    /// whether the JSON of the same line in the second file has the same meaning; then the table.
    private static let script = """
        import sys, json, fleece_oracle as oracle
        def integer(text):
            value = int(text)
            return value if -2**63 <= value < 2**64 else float(value)
        def meaning(text):
            return json.dumps(json.loads(text, parse_int=integer), sort_keys=True)
        keys = {}
        def encoded(value, table):
            encoder = oracle.Encoder(table)
            encoder.value(value)
            return encoder.finish().hex()
        lines = lambda path: open(path, encoding="utf-8", newline="\\n").read().split("\\n")[:-1]
        for line, written in zip(lines(sys.argv[1]), lines(sys.argv[2]), strict=True):
            value = json.loads(line)
            same = "same" if meaning(line) == meaning(written) else "different"
            print(encoded(value, None), encoded(value, keys), same)
        print(json.dumps([key.decode() for key in keys]))
        """

    private static let count = 2000

    /// The encodings of the documents by this module.
    private struct Ours {
        var plain: [[UInt8]] = []
        var shared: [[UInt8]] = []
        var json: [String] = []
        var keys = SharedKeys()
    }

    private func documents() -> [String] {
        var generator = RandomJSON(random: SeededGenerator(for: "Differential"))
        return (0..<Self.count).map { generator.document($0) }
    }

    private func encode(_ documents: [String]) throws -> Ours {
        var ours = Ours()
        var plain = FleeceEncoder()
        var shared = FleeceEncoder(sharedKeys: SharedKeys())
        for text in documents {
            try plain.writeJSON(text)
            ours.plain.append(try plain.finish())
            try shared.writeJSON(text)
            ours.shared.append(try shared.finish())
        }
        ours.keys = shared.sharedKeys ?? SharedKeys()
        ours.json = try documents.indices.map { index in
            let document = index % 2 == 0 ? ours.plain[index] : ours.shared[index]
            return try json(document, sharedKeys: ours.keys)
        }
        return ours
    }

    @Test("Random documents have the bytes of the oracle, and JSON with the same meaning")
    func bytesAndMeaning() throws {
        let documents = documents()
        let ours = try encode(documents)
        let lines = try withFile(of: documents) { input in
            try withFile(of: ours.json) { try Oracle.lines(of: Self.script, [input, $0]) }
        }
        guard let lines else { return }
        try #require(lines.count == Self.count + 2)
        var failures = 0
        for index in documents.indices {
            let oracle = lines[index].split(separator: " ").map(String.init)
            try #require(oracle.count == 3)
            let isSame =
                unspacedHex(ours.plain[index]) == oracle[0]
                && unspacedHex(ours.shared[index]) == oracle[1] && oracle[2] == "same"
            guard !isSame else { continue }
            failures += 1
            // The first few suffice.
            guard failures <= 3 else { continue }
            Issue.record(
                """
                document \(index): \(documents[index].prefix(2000))
                plain, ours:    \(unspacedHex(ours.plain[index]).prefix(4000))
                plain, oracle:  \(oracle[0].prefix(4000))
                shared, ours:   \(unspacedHex(ours.shared[index]).prefix(4000))
                shared, oracle: \(oracle[1].prefix(4000))
                JSON is \(oracle[2]): \(ours.json[index].prefix(2000))
                """)
        }
        #expect(failures == 0)
        let table = try FleeceDocument(trusted: encoded(json: lines[Self.count])).root.array
        #expect(table?.compactMap(\.string) == ours.keys.keys)
    }

    @Test("The documents contain all distinguished forms")
    func coverage() throws {
        let documents = documents()
        let ours = try encode(documents)
        #expect(ours.keys.count == FleeceLimits.sharedKeys)
        #expect(ours.plain.filter { $0.count > 0x8000 }.count >= 20)
        let wide = try ours.plain.filter {
            try FleeceDocument(trusted: $0).root.array?.raw.isWide == true
        }
        #expect(wide.count >= 20)
        for part in [
            #"\ud834\u"#, #"\u001f"#, "\u{7F}", "𝄞", "18446744073709551616", ":-0,", "-0.0",
        ] {
            #expect(documents.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test("JSON that is written and read again is written unchanged, plain or with shared keys")
    func fixedPoint() throws {
        let documents = documents().prefix(500)
        for text in documents {
            let first = try json(encoded(json: text))
            #expect(try json(encoded(json: first)) == first)
        }
    }
}
