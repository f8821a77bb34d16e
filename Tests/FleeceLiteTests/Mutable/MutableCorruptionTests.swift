import SampleData
import Testing

import FleeceLite

/// Checks that nothing traps or runs without end.
@Suite("Safety: changes and deltas of corrupt documents", .timeLimit(.minutes(20)))
struct MutableCorruptionTests {
    private static let keys = table(["name", "a", "id", "list", "text"])

    private static func documents() throws -> [[UInt8]] {
        let text = """
            {"name":"Ada","a":[1,-2,2048,-70000,18446744073709551615,0.5,0.1,null,true],\
            "id":{"":"x","text":"a longer text of more than 60 bytes, which is to say, the text",\
            "é":false},"list":[{"name":"name"},{"name":"name","a":1e300},[[["deep"]]]]}
            """
        let base = "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005"
        return [
            try encoded(json: text), try encoded(sharedKeys: keys) { try $0.writeJSON(text) },
            try bytes(base + "4366 6f6f 7002 0800 800a 8005 3c00 8005"),
            Hostile.generations(count: 12),
            Hostile.doubling(levels: 8), try Hostile.nestedDictionaries(levels: 200),
        ]
    }

    @Test("Random bytes in them are harmless")
    func corruption() throws {
        var random = SeededGenerator(for: "changes of corrupt documents")
        let documents = try Self.documents()
        let good = try FleeceDocument(trusted: documents[1], sharedKeys: Self.keys).root
        var outcomes = Outcomes()
        for _ in 0..<3000 {
            var corrupt = random.pick(documents)
            for _ in 0...random.below(4) {
                corrupt[random.below(corrupt.count)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let document = try? FleeceDocument(trusted: corrupt, sharedKeys: Self.keys)
            else { continue }
            try change(document.root, good, &random, &outcomes)
            try outcomes.attempt { _ = try FleeceDelta(from: good, to: document.root) }
            try outcomes.attempt {
                let delta = try FleeceDelta(from: document.root, to: good)
                _ = try delta.applied(to: good)
            }
            try outcomes.attempt {
                let delta = try FleeceDelta(from: document.root, to: good)
                var encoder = FleeceEncoder()
                try encoder.amend(document, externPointers: true)
                try encoder.write(document.root, applying: delta)
                let bytes = try encoder.finish()
                _ = try FleeceDocument(trusted: bytes, base: document).root == good
            }
        }
        #expect(outcomes.done > 1500)
        #expect(outcomes.refused > 1500)
    }

    private struct Outcomes {
        var done = 0
        var refused = 0

        mutating func attempt(_ body: () throws -> Void) throws {
            do {
                try body()
                done += 1
            } catch is FleeceError {
                refused += 1
            }
        }
    }

    private func change(
        _ value: FleeceValue, _ good: FleeceValue, _ random: inout SeededGenerator,
        _ outcomes: inout Outcomes
    ) throws {
        var mutable = MutableFleeceValue.value(value)
        for _ in 0..<6 {
            let key = random.pick(["a", "name", "list", "bar", "new", ""])
            switch random.below(6) {
            case 0: mutable[key] = .value(good)
            case 1: mutable[key] = nil
            case 2: mutable[key]["x"] = 1
            case 3: mutable[key][random.below(4) - 1] = random.oneIn(2) ? .value(good) : nil
            case 4: mutable["list"]?.array?.append("x")
            default: mutable[random.below(3)]["y"] = true
            }
            if let dictionary = mutable.dictionary {
                #expect(dictionary.count >= 0)
                #expect(dictionary.keys.count < 100)
            }
        }
        let copy = mutable
        #expect(mutable.hashValue == copy.hashValue)
        _ = mutable == .value(value)
        try outcomes.attempt {
            var encoder = FleeceEncoder()
            try encoder.amend(value.document)
            try encoder.write(copy)
            _ = try encoder.finish()
        }
    }
}
