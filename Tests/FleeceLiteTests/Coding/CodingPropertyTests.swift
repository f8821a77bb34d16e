import Foundation
import SampleData
import Testing

import FleeceLite

@Suite("Coding: random values", .timeLimit(.minutes(20)))
struct CodingPropertyTests {
    struct Rich: Codable, Equatable {
        var text: String
        var optionalText: String?
        var flag: Bool
        var number: Int
        var small: Int8?
        var natural: UInt64
        var double: Double
        var single: Float?
        var date: Date?
        var data: Data
        var uuid: UUID?
        var list: [Int16]
        var texts: [String?]
        var byName: [String: Double]
        var byNumber: [Int: Rich]
        var choice: Choice
        var children: [Rich]
        var huge: Int128

        indirect enum Choice: Codable, Equatable {
            case none
            case one(Int)
            case named(text: String, next: Choice)
        }
    }

    private static func text(_ random: inout SeededGenerator) -> String {
        let letters = ["a", "b", "z", "-", "é", "🙂", "\0", "\"", " "]
        return (0..<random.below(random.oneIn(5) ? 40 : 8)).map { _ in random.pick(letters) }
            .joined()
    }

    private static func integer(_ random: inout SeededGenerator) -> UInt64 {
        random.next() >> UInt64(random.below(64))
    }

    private static func double(_ random: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: random.next())
        return number.isNaN || random.oneIn(3) ? Double(random.below(100)) / 4 : number
    }

    private static func choice(_ random: inout SeededGenerator) -> Rich.Choice {
        switch random.below(3) {
        case 0: .none
        case 1: .one(Int(truncatingIfNeeded: integer(&random)))
        default: .named(text: text(&random), next: choice(&random))
        }
    }

    private static func rich(_ random: inout SeededGenerator, depth: Int) -> Rich {
        func some<T>(_ value: T) -> T? { random.oneIn(2) ? value : nil }
        let inner = depth > 2 ? 0 : random.below(3)
        let milliseconds = Double(random.below(4_000_000_000)) * 60 + Double(random.below(1000))
        return Rich(
            text: text(&random), optionalText: some(text(&random)), flag: random.oneIn(2),
            number: Int(truncatingIfNeeded: integer(&random)),
            small: some(Int8(truncatingIfNeeded: random.next())), natural: integer(&random),
            double: double(&random), single: some(Float(random.below(1000)) / 7),
            date: some(Date(timeIntervalSince1970: milliseconds / 1000)),
            data: Data((0..<random.below(20)).map { _ in UInt8(random.below(256)) }),
            uuid: some(UUID()),
            list: (0..<random.below(5)).map { _ in Int16(truncatingIfNeeded: random.next()) },
            texts: (0..<random.below(4)).map { _ in some(text(&random)) },
            byName: Dictionary(
                (0..<random.below(5)).map { _ in (text(&random), double(&random)) }
            ) { $1 },
            byNumber: inner == 1 ? [random.below(9) - 4: rich(&random, depth: depth + 1)] : [:],
            choice: choice(&random),
            children: (0..<inner).map { _ in rich(&random, depth: depth + 1) },
            huge: Int128(truncatingIfNeeded: random.next()) << Int128(random.below(64)))
    }

    @Test("Random values are decoded unchanged")
    func roundTrips() throws {
        var random = SeededGenerator(for: "random Codable values")
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        for _ in 0..<300 {
            let value = Self.rich(&random, depth: 0)
            try expectRoundTrip(value)
            // The same again, with a shared encoder.
            try encoder.encode(value)
            let bytes = try encoder.finish()
            let keys = encoder.sharedKeys ?? SharedKeys()
            let back = try FleeceRowDecoder().decode(Rich.self, from: bytes, sharedKeys: keys)
            #expect(back == value)
        }
    }

    private static func anything(_ random: inout SeededGenerator, depth: Int) -> AnyCode {
        switch random.below(depth > 4 ? 5 : 7) {
        case 0: .null
        case 1: .bool(random.oneIn(2))
        case 2: .int(Int(truncatingIfNeeded: integer(&random)))
        case 3: .double(Double(random.below(1_000_000)) / 16 + 0.03)
        case 4: .string(text(&random))
        case 5: .array((0..<random.below(5)).map { _ in anything(&random, depth: depth + 1) })
        default:
            .dictionary(
                Dictionary(
                    (0..<random.below(5)).map { _ in
                        (text(&random), anything(&random, depth: depth + 1))
                    }
                ) { $1 })
        }
    }

    @Test("A document has the same content as Foundation's JSON of the same value")
    func sameAsJSON() throws {
        var random = SeededGenerator(for: "Codable values as JSON")
        for _ in 0..<500 {
            let value = [Self.anything(&random, depth: 0)]
            let theirs = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
            let converted = try FleeceDocument(trusted: encoded(json: theirs))
            let direct = try FleeceDocument(trusted: FleeceRowEncoder().encode(value))
            #expect(direct.root == converted.root, "\(theirs)")
        }
    }
}
