import SampleData
import Testing

import FleeceLite

/// Valid JSON is read wherever it lies and ends; invalid JSON is rejected at the same offset.
@Suite("Fuzz: JSON", .timeLimit(.minutes(20)))
struct JSONFuzzTests {
    /// The encoding of a text.
    enum Outcome: Equatable {
        case bytes([UInt8])
        case error(offset: Int?)

        /// The encoding of a text with a number of blanks before it.
        func moved(by blanks: Int) -> Outcome {
            if case .error(let offset) = self {
                .error(offset: offset.map { $0 + blanks })
            } else {
                self
            }
        }
    }

    /// The encoding of a text after which memory must not be read.
    private static func outcome(
        _ text: [UInt8], _ encoder: inout FleeceEncoder, _ buffer: GuardedBuffer
    ) throws -> Outcome {
        do {
            try buffer.withBytes(text) { _ = try encoder.writeJSON($0, lifting: nil) }
            return .bytes(try encoder.finish())
        } catch let error as FleeceError {
            encoder.reset()
            return .error(offset: error.offset)
        }
    }

    /// Reports for each line of hexadecimal digits whether it is JSON for a store, and whether the
    /// JSON in the same line of the second file then has the same meaning.
    private static let script = """
        import sys, json, math
        def integer(text):
            value = int(text)
            return value if -2**63 <= value < 2**64 else real(text)
        def real(text):
            value = float(text)
            if math.isinf(value):
                raise ValueError("infinite")
            return value
        def constant(text):
            raise ValueError(text)
        def depth(value):
            if isinstance(value, (dict, list)):
                inner = list(value.values() if isinstance(value, dict) else value)
                return max([1 + depth(item) for item in inner], default=0)
            return 0
        def loaded(data):
            value = json.loads(data.decode("utf-8"), parse_int=integer, parse_float=real,
                               parse_constant=constant)
            json.dumps(value, ensure_ascii=False).encode("utf-8")
            if not isinstance(value, (dict, list)) or depth(value) > 100:
                raise ValueError("no collection, or too deep")
            return value
        texts = open(sys.argv[1]).read().split("\\n")
        written = open(sys.argv[2]).read().split("\\n")
        for text, ours in list(zip(texts, written, strict=True))[:-1]:
            try:
                value = loaded(bytes.fromhex(text))
            except ValueError:
                print("refused")
                continue
            if ours == "refused":
                print("accepted")
                continue
            same = json.dumps(loaded(bytes.fromhex(ours)), sort_keys=True)
            print("same" if json.dumps(value, sort_keys=True) == same else "different")
        """

    @Test("5,000 texts are JSON, with the same meaning, for Python and for the reader")
    func differential() throws {
        var generator = MutatedJSON(random: SeededGenerator(for: "JSON fuzz"))
        let texts = (0..<5000).map { $0 % 100 == 0 ? generator.nested() : generator.next() }
        let buffer = try GuardedBuffer(capacity: 1 << 16)
        var encoder = FleeceEncoder()
        let ours = try texts.map { text in
            switch try Self.outcome(text, &encoder, buffer) {
            case .error: "refused"
            case .bytes(let document): unspacedHex(Array(try json(document).utf8))
            }
        }
        let refused = ours.filter { $0 == "refused" }.count
        #expect((1500...3500).contains(refused), "\(refused)")
        let lines = try withFile(of: texts.map { unspacedHex($0) }) { input in
            try withFile(of: ours) { try Oracle.lines(of: Self.script, [input, $0]) }
        }
        guard let lines else { return }
        try #require(lines.count == texts.count + 1)
        let failures = texts.indices.filter {
            lines[$0] != (ours[$0] == "refused" ? "refused" : "same")
        }
        for index in failures.prefix(5) {
            Issue.record(
                """
                \(lines[index]) by Python, not here, or the other way round:
                \(String(decoding: texts[index], as: UTF8.self).debugDescription)
                """)
        }
        #expect(failures.isEmpty)
    }

    /// All kinds of tokens.
    private static let rich = Array(
        #"""
        {"a":[1,-2.5e+10,0.1,12345678901234567890,"ü\n\ud834\udd1e",true,false,null],\#
        "b":{"c":[],"a key of over 16 bytes":{},"sixteen-bytes-xx":[0]},"":" x ",\#
        "long":"0123456789abcdef0123456789abcdef0123456789","k":[[[["deep"]]]]  }\#

        """#.utf8)

    /// An array of a long string and the text.
    private static func large(_ text: [UInt8], size: Int) -> [UInt8] {
        let filler = [UInt8](repeating: UInt8(ascii: "x"), count: max(0, size - text.count - 5))
        return Array("[\"".utf8) + filler + Array("\",".utf8) + text + Array("]".utf8)
    }

    /// Inputs up to 16 KiB are copied and padded with zeros; of longer ones the end is.
    @Test("Texts of about 16 KiB have the same outcome regardless of leading blanks")
    func sizes() throws {
        let buffer = try GuardedBuffer(capacity: 1 << 16)
        var encoder = FleeceEncoder()
        var random = MutatedJSON(random: SeededGenerator(for: "JSON sizes"))
        for size in (16_384 - 64)...(16_384 + 64) {
            let whole = Self.large(Self.rich, size: size)
            #expect(whole.count == size)
            guard case .bytes = try Self.outcome(whole, &encoder, buffer) else {
                Issue.record("\(size) bytes are refused")
                continue
            }
            var mutant = whole
            for _ in 0..<4 {
                random.mutate(&mutant, from: whole.count - Self.rich.count)
                let expected = try Self.outcome(mutant, &encoder, buffer)
                for blanks in [1, 63, 129, 300] {
                    let text = Array(repeating: UInt8(ascii: " "), count: blanks) + mutant
                    let outcome = try Self.outcome(text, &encoder, buffer)
                    let tail = String(decoding: mutant.suffix(300), as: UTF8.self)
                    #expect(outcome == expected.moved(by: blanks), "\(size), \(blanks): \(tail)")
                }
            }
        }
    }

    @Test("Every truncation of a large text is rejected, without reading after its end")
    func truncations() throws {
        let buffer = try GuardedBuffer(capacity: 1 << 16)
        var encoder = FleeceEncoder()
        for size in [17_000, 20_001] {
            let whole = Self.large(Self.rich, size: size)
            let places = Array(stride(from: 0, to: size - 500, by: 97)) + Array((size - 500)..<size)
            for count in places {
                let outcome = try Self.outcome(Array(whole[..<count]), &encoder, buffer)
                guard case .error(let offset?) = outcome, offset <= count else {
                    Issue.record("\(count) of \(size) bytes: \(outcome)")
                    continue
                }
            }
            guard case .bytes = try Self.outcome(whole, &encoder, buffer) else {
                Issue.record("all \(size) bytes are refused")
                continue
            }
        }
    }

    @Test("A text that ends anywhere is read no further, with keys cached or new")
    func ends() throws {
        let buffer = try GuardedBuffer(capacity: 1 << 16)
        var known = FleeceEncoder(sharedKeys: SharedKeys())
        _ = try Self.outcome(Self.rich, &known, buffer)
        for count in 0...Self.rich.count {
            let text = Array(Self.rich[..<count])
            var new = FleeceEncoder(sharedKeys: SharedKeys())
            let outcomes = try [
                Self.outcome(text, &known, buffer), Self.outcome(text, &new, buffer),
            ]
            #expect(outcomes[0] == outcomes[1], "\(count)")
        }
    }
}
