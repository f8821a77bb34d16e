import SampleData
import StoreTestSupport
import Testing

import FleeceLite

@Suite("Validation", .timeLimit(.minutes(20)))
struct ValidationTests {
    private func result(
        _ document: [UInt8], keys: SharedKeys = SharedKeys(), _ level: FleeceValidation
    ) -> FleeceError.Code? {
        code { _ = try FleeceDocument(validating: document, sharedKeys: keys, level: level) }
    }

    @Test("the encoder's output is valid, strictly as well", arguments: 0..<200)
    func ownDocuments(number: Int) throws {
        var random = RandomJSON(random: SeededGenerator(for: "Validation"))
        var text = ""
        for index in 0...number { text = random.document(index) }
        for keys in [nil, SharedKeys()] as [SharedKeys?] {
            var encoder = FleeceEncoder(sharedKeys: keys)
            try encoder.writeJSON(text)
            let document = try encoder.finish()
            #expect(result(document, keys: encoder.sharedKeys ?? SharedKeys(), .strict) == nil)
        }
    }

    @Test(
        "an unreadable structure is rejected",
        arguments: [
            "", "00", "800280", "8000", "8001", "8002", "0000 0000", "6001 8002", "6001 8003 8002",
            "6002 0001 8002", "46 68 65 8002", "2800 0000 8003", "7001 3000 0001 8003",
            "7001 6000 0001 8003", "7001 0800 0001 8003", "7002 0800 8002 0001 0001 8005",
            "9000 8001",
        ])
    func broken(hex: String) throws {
        #expect(try result(bytes(hex), .structure) == .invalidData)
    }

    @Test(
        "a readable document that encoders do not write is rejected only in strict mode",
        arguments: [
            "3100", "7002 4162 0001 4161 0002 8005", "7002 4161 0001 4161 0002 8005",
            "7001 0000 0001 8003", "43ff fefd 8002", "42c3 2800 8002",
            "7002 4161 0001 0000 0002 8005",
        ])
    func strict(hex: String) throws {
        #expect(try result(bytes(hex), .structure) == nil)
        #expect(try result(bytes(hex), .strict) == .invalidData)
    }

    @Test("a shared key is resolved by the document's table")
    func sharedKeys() throws {
        let document = try bytes("7001 0000 0001 8003")
        #expect(result(document, keys: table(["a"]), .strict) == nil)
    }

    @Test("foreign forms are valid: padding that is not zero, long varints, text in a wide slot")
    func foreignForms() throws {
        for hex in [
            "6801 1900 0800 8003", "7801 4366 6f6f 007b 0000 8005", "6801 0005 dead 8003",
            "4f05 6162 6364 6500 8004", "1005 8001",
        ] {
            #expect(try result(bytes(hex), .structure) == nil, "\(hex)")
        }
    }

    @Test("parts that are referred to 2^40 times are checked once")
    func doubling() {
        #expect(result(Hostile.doubling(levels: 40), .strict) == nil)
        #expect(result(Hostile.doubling(levels: FleeceLimits.walkDepth), .strict) == .outOfRange)
    }

    @Test("nesting beyond the limit is rejected, however deep", arguments: [513, 200_000])
    func tooDeep(levels: Int) throws {
        // The innermost is empty, and does not count as a level.
        #expect(try result(Hostile.nested(levels: 513), .structure) == nil)
        #expect(try result(Hostile.nested(levels: levels + 1), .structure) == .outOfRange)
    }

    @Test("a height that was determined on one path also counts on another")
    func heightIsKept() throws {
        // 400 levels that are valid by themselves, referred to again at the end of 200 others.
        let deep = try Hostile.nested(levels: 401)
        var document = Array(deep.dropLast(2))
        let root = document.count - 4
        for _ in 0..<200 {
            let distance = (document.count + 2 - (document.count - 4)) / 2
            document += [0x60, 1, 0x80, UInt8(distance)]
        }
        // First the deep one, then the one that leads to it.
        let array = document.count
        let back = (array + 2 - root) / 2
        document += [0x60, 2, 0x80 | UInt8(back >> 8), UInt8(back & 0xFF), 0x80, 4, 0x80, 3]
        #expect(result(document, .structure) == .outOfRange)
    }

    @Test("after 20,000 mutations: every valid document is written as JSON completely")
    func validMeansReadable() throws {
        var random = SeededGenerator(for: "Valid means readable")
        let keys = table(["name", "a", "id"])
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.writeJSON(
            #"{"name":{"first":"Ada","more":[1,2.5,"text of over 15 bytes",null]},"a":[[],{}]}"#)
        let document = try encoder.finish()
        var valid = 0
        for _ in 0..<20_000 {
            var mutant = document
            for _ in 0...Int.random(in: 0..<3, using: &random) {
                let index = Int.random(in: mutant.indices, using: &random)
                mutant[index] = UInt8.random(in: .min ... .max, using: &random)
            }
            let allKeys = encoder.sharedKeys ?? keys
            guard
                let copy = try? FleeceDocument(
                    validating: mutant, sharedKeys: allKeys, level: .strict)
            else { continue }
            valid += 1
            var writer = JSONWriter()
            try writer.write(copy.root)
        }
        #expect(valid > 1000)
    }

    @Test(
        "Overlapping strings are rejected early in strict mode",
        .timeLimit(.minutes(20)))
    func overlappingStrings() throws {
        // Each unit of two bytes is the end of a long string's header, or of its content.
        var document: [UInt8] = []
        for _ in 0..<40_000 { document += [0x4F, 0xC3, 0xA0, 0x04] }
        document += Array(repeating: 0x41, count: 1 << 17)
        let strings = 20_000
        let header = document.count
        document += [0x6F, 0xFF]
        Varint.append(UInt64(strings - 2047), to: &document)
        if document.count % 2 != 0 { document.append(0) }
        for index in 0..<strings {
            let distance = UInt32(document.count - 4 * index) / 2
            withUnsafeBytes(of: (0x8000_0000 | distance).bigEndian) { document += $0 }
        }
        let back = UInt32(document.count - header) / 2
        withUnsafeBytes(of: (0x8000_0000 | back).bigEndian) { document += $0 }
        document += [0x80, 0x02]
        #expect(try FleeceDocument(validating: document).root.array?.count == strings)
        let error = #expect(throws: FleeceError.self) {
            try FleeceDocument(validating: document, level: .strict)
        }
        #expect(error?.message == "strings overlap")
    }

    @Test("Separate long strings and keys do not count as overlapping")
    func longStrings() throws {
        let texts = (0..<50).map { number in
            let key = "\(number) is a key with \(String(repeating: "many ", count: 40))letters"
            return "{\"\(key)\":\"\(key)\",\"\(key)2\":[\"\(key)\"]}"
        }
        let bytes = try encoded(json: "[\(texts.joined(separator: ","))]")
        #expect(try FleeceDocument(validating: bytes, level: .strict).root.array?.count == 50)
    }
}
