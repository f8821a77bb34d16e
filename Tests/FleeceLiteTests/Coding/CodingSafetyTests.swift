import Foundation
import SampleData
import Testing

import FleeceLite

/// A value of any kind, which contains others of its kind.
indirect enum AnyCode: Codable, Equatable {
    case null
    case bool(Bool)
    case int(Int)
    case double(Double)
    case string(String)
    case array([AnyCode])
    case dictionary([String: AnyCode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([AnyCode].self))
        } else {
            self = .dictionary(try container.decode([String: AnyCode].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        }
    }
}

private final class Chain: Codable {
    let next: Chain?

    init(_ next: Chain?) { self.next = next }

    /// A chain of dictionaries; the innermost is empty.
    convenience init(levels: Int) {
        var chain: Chain?
        for _ in 1..<levels { chain = Chain(chain) }
        self.init(chain)
    }

    var levels: Int {
        var levels = 1
        var chain = next
        while let inner = chain { (levels, chain) = (levels + 1, inner.next) }
        return levels
    }
}

@Suite("Coding: deep, endless and corrupt values", .timeLimit(.minutes(20)))
struct CodingSafetyTests {
    @Test("Sixty levels are coded, regardless of the type and the size of the stack")
    func deep() throws {
        let bytes = try FleeceRowEncoder().encode(Chain(levels: 60))
        let chain = try FleeceRowDecoder().decode(Chain.self, from: bytes)
        #expect(chain.levels == 60)
        var value = AnyCode.int(1)
        for level in 0..<60 {
            value = level % 2 == 0 ? .array([value]) : .dictionary(["a": value])
        }
        try expectRoundTrip(value)
    }

    #if canImport(Glibc)
        @Test("The maximum number of levels is coded if the stack is large")
        func deepest() throws {
            let bytes = try FleeceRowEncoder().encode(Chain(levels: FleeceLimits.walkDepth))
            let chain = try FleeceRowDecoder().decode(Chain.self, from: bytes)
            #expect(chain.levels == FleeceLimits.walkDepth)
        }
    #endif

    @Test("Values that are nested too deep are an error", arguments: [513, 10_000])
    func tooDeep(levels: Int) throws {
        let encoding = try codingFailure {
            _ = try FleeceRowEncoder().encode(Chain(levels: levels))
        }
        #expect(encoding?.kind == "invalidValue")
        #expect(encoding?.message.contains("deep") == true)
        var bytes = try Hostile.nestedDictionaries(levels: levels)
        let decoding = try codingFailure {
            _ = try FleeceRowDecoder().decode(AnyCode.self, from: bytes)
        }
        #expect(decoding?.message == "values nested too deep")
        #expect(decoding?.path.hasPrefix("a.a.a.a") == true)
        bytes = try Hostile.nested(levels: levels)
        let arrays = try codingFailure {
            _ = try FleeceRowDecoder().decode(Doubling.self, from: bytes)
        }
        #expect(arrays?.message == "values nested too deep")
    }

    private struct Endless: Codable {
        init() {}

        init(from decoder: any Decoder) throws {
            self = try decoder.singleValueContainer().decode(Endless.self)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.singleValueContainer()
            try container.encode(self)
        }
    }

    private struct EndlessArrays: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            try container.encode(self)
        }
    }

    @Test("A type that codes itself as itself is an error, not a stack overflow")
    func endless() throws {
        let encoding = try codingFailure { _ = try FleeceRowEncoder().encode(Endless()) }
        #expect(encoding == CodingFailure("invalidValue", "", "values nested too deep"))
        let arrays = try codingFailure { _ = try FleeceRowEncoder().encode(EndlessArrays()) }
        #expect(arrays?.path.hasPrefix("0.0.0.0") == true)
        let decoding = try codingFailure { _ = try decoded(Endless.self, json: "1") }
        #expect(decoding == CodingFailure("dataCorrupted", "", "values nested too deep"))
    }

    @Test("A loop that opens nested containers is an error beyond the limit")
    func deepContainers() throws {
        struct Deep: Encodable {
            let levels: Int

            func encode(to encoder: any Encoder) throws {
                var containers = [encoder.unkeyedContainer()]
                for level in 1..<levels {
                    containers.append(containers[level - 1].nestedUnkeyedContainer())
                }
                try containers[levels - 1].encode(1)
            }
        }
        let bytes = try FleeceRowEncoder().encode(Deep(levels: FleeceLimits.walkDepth))
        #expect(try json(bytes).hasPrefix("[[[["))
        let failure = try codingFailure {
            _ = try FleeceRowEncoder().encode(Deep(levels: FleeceLimits.walkDepth + 1))
        }
        #expect(failure?.message == "values nested too deep")
    }

    private struct Doubling: Decodable {
        init(from decoder: any Decoder) throws {
            var container = try decoder.unkeyedContainer()
            while !container.isAtEnd {
                if (try? container.decode(Int.self)) == nil {
                    _ = try container.decode(Doubling.self)
                }
            }
        }
    }

    @Test("A small document that stands for an endless one is an error early")
    func expansion() throws {
        var form = FleeceRowDecoder()
        form.maximumBytes = 1 << 18
        let message = "over 262144 bytes to decode"
        let doubling = try codingFailure {
            _ = try form.decode(Doubling.self, from: Hostile.doubling(levels: 60))
        }
        #expect(doubling?.message == message)
        // A string of 60,000 bytes, and 20,000 pointers to it.
        var bytes: [UInt8] = [0x4F] + [0xE0, 0xD4, 0x03] + Array(repeating: 0x61, count: 60_000)
        bytes += [0x6F, 0xFF, 0xA1, 0x8C, 0x01, 0]
        for index in 0..<20_000 {
            let distance = UInt32((60_010 + 4 * index) / 2) | 0x8000_0000
            bytes += (0..<4).map { UInt8(truncatingIfNeeded: distance >> UInt32(24 - 8 * $0)) }
        }
        let units = UInt32(20_000 * 4 + 6) / 2 | 0x8000_0000
        bytes += (0..<4).map { UInt8(truncatingIfNeeded: units >> UInt32(24 - 8 * $0)) }
        bytes += [0x80, 2]
        let document = try FleeceDocument(validating: bytes)
        #expect(document.root.array?.count == 20_000)
        #expect(document.root.array?.last?.string?.utf8.count == 60_000)
        let texts = try codingFailure {
            _ = try form.decode([String].self, from: bytes)
        }
        #expect(texts?.message == message)
        let children = Hostile.disinherited(pairs: 2000, levels: 7, uses: 100)
        let inherited = try codingFailure {
            _ = try form.decode([[String: Int]].self, from: children)
        }
        #expect(inherited?.message == message)
    }

    @Test("The budget is a setting of the decoder")
    func budget() throws {
        var form = FleeceRowDecoder()
        form.maximumBytes = 1200
        #expect(try decoded([Int].self, json: "[1,2,3,4,5]", as: form).count == 5)
        let failure = try codingFailure {
            _ = try decoded([[Int]].self, json: "[[1,2],[3,4]]", as: form)
        }
        #expect(failure == CodingFailure("dataCorrupted", "1", "over 1200 bytes to decode"))
    }

    /// Ignores every error.
    private enum Careless: Decodable {
        case leaf
        case both([Careless])

        init(from decoder: any Decoder) throws {
            if var list = try? decoder.unkeyedContainer() {
                var items: [Careless] = []
                while !list.isAtEnd, let item = try? list.decode(Careless.self) {
                    items.append(item)
                }
                self = .both(items)
            } else {
                self = .leaf
            }
        }
    }

    @Test("A type that ignores errors does not exceed the budget, and has no result")
    func careless() throws {
        let bomb = try FleeceDocument(trusted: Hostile.doubling(levels: 60))
        let failure = try codingFailure {
            _ = try FleeceRowDecoder().decode(Careless.self, from: bomb.root)
        }
        #expect(failure?.message.hasPrefix("over ") == true)
    }

    @Test("Corrupt documents are decoded or an error")
    func corrupt() throws {
        struct Rich: Codable {
            var name: String?
            var list: [AnyCode]?
            var numbers: [Double]?
            var data: Data?
            var inner: [String: Int]?
        }
        let rich = Rich(
            name: "a name of some length", list: [.array([.int(5000)]), .string("x"), .null],
            numbers: [0.5, 1e300], data: Data([1, 2, 3]), inner: ["a": 1, "b": 70_000])
        var keys = SharedKeys()
        let whole = try FleeceRowEncoder().encode(rich, sharedKeys: &keys)
        var random = SeededGenerator(for: "corrupt documents that are decoded")
        var form = FleeceRowDecoder()
        form.maximumBytes = 1 << 16
        var decodedCount = 0
        for _ in 0..<2000 {
            var bytes = whole
            for _ in 0...random.below(3) {
                bytes[random.below(bytes.count)] = UInt8(random.below(256))
            }
            let document = try? FleeceDocument(trusted: bytes, sharedKeys: keys)
            guard let document else { continue }
            do {
                _ = try form.decode(Rich.self, from: document.root)
                decodedCount += 1
            } catch is DecodingError {}
            do { _ = try form.decode(AnyCode.self, from: document.root) } catch is DecodingError {}
        }
        #expect(decodedCount > 20)
    }

    @Test("Corrupt values are errors with a message")
    func corruptValues() throws {
        func check<Value: Decodable>(_ type: Value.Type, _ hex: String, _ path: String) throws {
            let failure = try codingFailure {
                _ = try FleeceRowDecoder().decode(type, from: bytes(hex))
            }
            #expect(failure == CodingFailure("dataCorrupted", path, "corrupt bytes"), "\(hex)")
        }
        let outside = "6001 9000 8002"
        try check([Int].self, outside, "0")
        try check([AnyCode].self, outside, "0")
        try check([[String: Int]].self, outside, "0")
        try check([String?].self, "4961 6001 8002 8002", "0")
        try check([Int].self, "1761 6001 8002 8002", "0")
        try check([Double].self, "2800 6001 8002 8002", "0")
        try check([[Int]].self, "6005 6001 8002 8002", "0")
        try check([[String: Int]].self, "7005 6001 8002 8002", "0")
        try check([String: AnyCode].self, "7001 4161 9000 8003", "a")
        try check([String: Int?].self, "7001 4161 9000 8003", "a")
    }
}
