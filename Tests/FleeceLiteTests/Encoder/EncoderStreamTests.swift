import Foundation
import Testing

@testable import FleeceLite

/// An encoder caches the keys and their order: this must never affect the output.
@Suite("Differential: many documents through one encoder")
struct EncoderStreamTests {
    /// Documents in a stream.
    static let length = 500

    /// The number of streams for the documents of the environment variable `STORE_DOCUMENTS`.
    static let streams: Range<Int> = {
        let chosen = ProcessInfo.processInfo.environment["STORE_DOCUMENTS"].flatMap { Int($0) }
        return 0..<max(1, (chosen ?? length) / length)
    }()

    /// Follows the steps of the first file, and compares each document, without and with shared
    /// keys, with the second file. Prints the two expected hashes of each document and, for one
    /// that differs, also its expected content.
    private static let script = """
        import sys, json, hashlib, struct, fleece_oracle as oracle
        def encoded(value, table):
            encoder = oracle.Encoder(table)
            encoder.value(value)
            return encoder.finish()
        def taken(file):
            return file.read(struct.unpack("<I", file.read(4))[0])
        keys, saved = {}, {}
        ours = open(sys.argv[2], "rb")
        for line in open(sys.argv[1], encoding="utf-8", newline="\\n").read().split("\\n")[:-1]:
            word, _, rest = line.partition(" ")
            names = rest.split("|")
            if word == "%revert":
                keys = dict(list(keys.items())[:len(keys) * int(rest) // 100])
            elif word == "%replace":
                keys = {}
                for name in names:
                    keys.setdefault(name.encode(), len(keys))
            elif word == "%extend":
                for name in names:
                    if len(keys) < 2048:
                        keys.setdefault(name.encode(), len(keys))
            elif word == "%save":
                saved = dict(keys)
            elif word == "%restore":
                keys = dict(saved)
            else:
                value = json.loads(line)
                result = []
                for document in (encoded(value, None), encoded(value, keys)):
                    result.append(hashlib.sha256(document).hexdigest()[:16])
                    if taken(ours) != document:
                        result.append("!" + document.hex()[:4000])
                print(*result)
        """

    private static func packed(_ documents: [[UInt8]]) -> Data {
        var data = Data()
        for document in documents {
            withUnsafeBytes(of: UInt32(document.count).littleEndian) { data.append(contentsOf: $0) }
            data.append(contentsOf: document)
        }
        return data
    }

    /// The oracle's hashes of a stream, after the comparison; nil without an oracle.
    private static func compare(_ number: Int) throws -> [String]? {
        let steps = EncoderStream.steps(number, documents: length)
        let output = try EncoderStream.output(of: steps)
        let both = zip(output.plain, output.shared).flatMap { [$0, $1] }
        let lines = try withFile(of: steps.compactMap(\.line)) { input in
            try withFile(packed(both)) { try Oracle.lines(of: script, [input, $0]) }
        }
        guard let lines = lines?.dropLast() else { return nil }
        #expect(lines.count == length)
        let documents = steps.compactMap { if case .document(let json) = $0 { json } else { nil } }
        let failures = lines.indices.filter { lines[$0].contains("!") }
        for index in failures.prefix(3) {
            Issue.record(
                """
                stream \(number), document \(index): \(documents[index].prefix(2000))
                plain:  \(unspacedHex(output.plain[index]).prefix(4000))
                shared: \(unspacedHex(output.shared[index]).prefix(4000))
                oracle: \(lines[index])
                """)
        }
        #expect(failures.isEmpty, "stream \(number)")
        return Array(lines)
    }

    @Test("All documents of a stream have the bytes of the oracle", arguments: streams)
    func differential(number: Int) throws {
        guard let hashes = try Self.compare(number), number == 0 else { return }
        // Scripts/compare-fleece-with-oracle --freeze renews the fixture.
        if let path = ProcessInfo.processInfo.environment["STORE_FREEZE"] {
            try FrozenStream.source(of: hashes).write(
                toFile: path, atomically: true, encoding: .utf8)
        }
    }

    @Test("The first stream has the recorded bytes of the oracle")
    func frozen() throws {
        let steps = EncoderStream.steps(0, documents: Self.length)
        let output = try EncoderStream.output(of: steps)
        let expected = FrozenStream.hashes.split { $0 == " " || $0 == "\n" }
        try #require(expected.count == 2 * Self.length)
        for index in output.plain.indices {
            let hashes = [output.plain[index], output.shared[index]].map {
                SHA256.hex($0).prefix(16)
            }
            #expect(hashes == Array(expected[(2 * index)...(2 * index + 1)]), "document \(index)")
        }
    }

    /// Writes a value by calls, its pairs in stored order.
    private static func write(_ value: FleeceValue, _ encoder: inout FleeceEncoder) throws {
        switch value.kind {
        case .undefined, .data: Issue.record("not from JSON")
        case .null: encoder.writeNull()
        case .bool: encoder.writeBool(value.bool == true)
        case .integer:
            if let number = value.uint {
                encoder.writeUInt(number)
            } else {
                encoder.writeInt(try #require(value.int))
            }
        case .double: try encoder.writeDouble(#require(value.double))
        case .string: encoder.writeString(try #require(value.string))
        case .array:
            encoder.beginArray()
            for element in try #require(value.array) { try write(element, &encoder) }
            try encoder.endArray()
        case .dictionary:
            encoder.beginDictionary()
            for (key, element) in try #require(value.dictionary) {
                try encoder.writeKey(key)
                try write(element, &encoder)
            }
            try encoder.endDictionary()
        }
    }

    @Test("One encoder writes the same bytes by calls, from JSON, and by both alternately")
    func calls() throws {
        let output = try EncoderStream.output(of: EncoderStream.steps(1, documents: 300))
        var called = FleeceEncoder(sharedKeys: SharedKeys())
        var read = FleeceEncoder(sharedKeys: SharedKeys())
        var mixed = FleeceEncoder(sharedKeys: SharedKeys())
        var compared = 0
        for (index, bytes) in output.plain.enumerated() where bytes.count < 20_000 {
            let root = try FleeceDocument(trusted: bytes).root
            let text = try json(root)
            try Self.write(root, &called)
            try read.writeJSON(text)
            if index % 2 == 0 {
                try Self.write(root, &mixed)
            } else {
                try mixed.writeJSON(text)
            }
            let expected = try read.finish()
            let bytes = try (called.finish(), mixed.finish())
            #expect(bytes.0 == expected, "document \(index): \(text)")
            #expect(bytes.1 == expected, "document \(index): \(text)")
            compared += 1
        }
        #expect(compared > 250)
    }

    @Test("The first stream contains all distinguished forms")
    func coverage() throws {
        let steps = EncoderStream.steps(0, documents: Self.length)
        let output = try EncoderStream.output(of: steps)
        let text = steps.compactMap(\.line).joined()
        #expect(output.keyCount == FleeceLimits.sharedKeys)
        #expect(output.plain.filter { $0.count > 0x8000 }.count >= 10)
        let collections = try output.plain.map {
            let root = try FleeceDocument(trusted: $0).root.raw
            return root.array ?? root.dictionary
        }
        #expect(collections.contains { $0?.isWide == true && $0?.isDictionary == true })
        #expect(collections.contains { ($0?.count ?? 0) >= 2047 && $0?.isDictionary == true })
        #expect(
            collections.contains { $0?.count == 2046 } && collections.contains { $0?.count == 2047 }
        )
        for part in [
            "%revert", "%replace", "%extend", "%save", "%restore", "e-308", "e-31", "[[[[[[[[",
            "18446744073709551616", "9007199254740993", "9223372036854775808", #"\ud834\u"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }
}

extension FrozenStream {
    /// The source of a fixture.
    fileprivate static func source(of hashes: [String]) -> String {
        var source = """
            /// What the oracle made of the first stream of `EncoderStream`: for each document the
            /// beginnings of two SHA-256, without and with shared keys.
            ///
            /// Made by `Scripts/compare-fleece-with-oracle --freeze`.
            enum FrozenStream {
                static let hashes = \"""

            """
        for start in stride(from: 0, to: hashes.count, by: 2) {
            source +=
                "        " + hashes[start..<min(start + 2, hashes.count)].joined(separator: " ")
                + "\n"
        }
        return source + "        \"\"\"\n}\n"
    }
}
