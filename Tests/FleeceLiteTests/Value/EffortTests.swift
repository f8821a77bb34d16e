import Foundation
import Testing

import FleeceLite

/// Every operation on a document takes at most a second for each 64 KiB of it, and at most 16 times
/// its size and a mebibyte of memory.
///
/// Memory is measured if the environment variable `STORE_MEASURE` is set, on Linux, and only if
/// nothing else runs: `swift test -c release -Xswiftc -enable-testing --filter EffortTests`.
@Suite("Safety: time and memory", .serialized, .timeLimit(.minutes(20)))
struct EffortTests {
    struct Input: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: @Sendable () throws -> [UInt8]

        init(_ description: String, _ bytes: @escaping @Sendable () throws -> [UInt8]) {
            testDescription = description
            self.bytes = bytes
        }
    }

    static let inputs = [
        Input("arrays of twice the same, 22 levels") { Hostile.doubling(levels: 22) },
        Input("arrays of twice the same, 60 levels") { Hostile.doubling(levels: 60) },
        Input("arrays of twice the same, 500 levels") { Hostile.doubling(levels: 500) },
        Input("200,000 arrays in each other") { try Hostile.nested(levels: 200_000) },
        Input("20,000 dictionaries in each other") {
            try Hostile.nestedDictionaries(levels: 20_000)
        },
        Input("100,000 parents") { Hostile.generations(count: 100_000) },
        Input("what inherits much and deletes it") {
            Hostile.disinherited(pairs: 1000, levels: 8, uses: 2000)
        },
        Input("one long string as 20,000 elements") {
            Hostile.oneElement(length: 1 << 16, count: 20_000)
        },
        Input("one long string as 5,000 keys and values") {
            Hostile.oneKey(length: 1 << 16, pairs: 5000)
        },
        Input("one string of 15,000 bytes as 5,000 keys and values") {
            Hostile.oneKey(length: 15_000, pairs: 5000)
        },
    ]

    struct Call: Sendable {
        let name: String
        /// The maximum memory as a multiple of the document's size.
        let memoryFactor: Int
        let body: @Sendable (FleeceDocument, FleeceDocument) throws -> Void

        init(
            _ name: String, memoryFactor: Int = 16,
            _ body: @escaping @Sendable (FleeceDocument, FleeceDocument) throws -> Void
        ) {
            self.name = name
            self.memoryFactor = memoryFactor
            self.body = body
        }
    }

    private static let keys = table((0..<1000).map { "k\($0)" })

    private static func json(
        _ document: FleeceDocument, _ change: (inout JSONWriter.Options) -> Void = { _ in }
    ) throws {
        var options = JSONWriter.Options()
        options.maximumBytes = 4 * document.bytes.count + (1 << 16)
        change(&options)
        var writer = JSONWriter(options: options)
        try writer.write(document.root)
    }

    static let calls = [
        Call("validated") { document, _ in
            _ = try FleeceDocument(validating: [UInt8](document.bytes), sharedKeys: keys)
        },
        Call("validated strictly") { document, _ in
            _ = try FleeceDocument(
                validating: [UInt8](document.bytes), sharedKeys: keys, level: .strict)
        },
        Call("compared") { document, other in #expect(document.root == other.root)
        },
        Call("hashed") { document, other in
            #expect(document.root.hashValue == other.root.hashValue)
        },
        Call("copied") { document, _ in
            var encoder = FleeceEncoder(sharedKeys: keys)
            try encoder.write(
                document.root, maximumBytes: 4 * document.bytes.count + (1 << 16))
        },
        Call("written as JSON") { document, _ in try json(document) },
        Call("written as canonical JSON") { document, _ in
            try json(document) { $0.canonical = true }
        },
        Call("iterated over") { document, _ in
            var count = 0
            document.root.array?.forEach { count += $0.string?.utf8.count ?? 1 }
            document.root.dictionary?.forEach { count += $0.key.utf8.count }
            #expect(count > 0 || document.root.dictionary != nil)
        },
        Call("iterated over deeply") { document, _ in
            for item in document.root.deepValues(limit: document.bytes.count) { _ = try item.get() }
        },
        Call("looked into") { document, _ in
            for _ in 0..<100 { _ = document.root["k1"]?.kind }
        },
        Call("described") { document, _ in _ = document.description },
        Call("dumped") { document, _ in
            var count = 0
            document.dump().forEachLine { count += $0.meaning.utf8.count }
            #expect(count > 0)
        },
    ]

    private static let measuresMemory =
        ProcessInfo.processInfo.environment["STORE_MEASURE"] != nil

    @Test("No call takes too long or too much", arguments: inputs)
    func effort(input: Input) throws {
        let bytes = try input.bytes()
        let document = try FleeceDocument(trusted: bytes, sharedKeys: Self.keys)
        let other = try FleeceDocument(trusted: bytes, sharedKeys: Self.keys)
        let units = max(1, Double(bytes.count) / 65_536)
        for call in Self.calls {
            var failure = "no error"
            let effort = Effort(measuringMemory: Self.measuresMemory) {
                do { try call.body(document, other) } catch { failure = "\(error)" }
            }
            let result: Comment = "\(call.name): \(effort), \(failure)"
            #expect(effort.seconds < units * Self.secondsPerUnit, result)
            let memory = call.memoryFactor * bytes.count + (1 << 20)
            #expect((effort.bytes ?? 0) < memory, result)
        }
    }

    /// The factor by which a debug build is slower.
    #if DEBUG
        private static let secondsPerUnit = 8.0
    #else
        private static let secondsPerUnit = 1.0
    #endif
}
