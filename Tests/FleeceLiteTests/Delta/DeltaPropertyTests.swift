import SampleData
import Testing

@testable import FleeceLite

@Suite("Deltas: random documents", .timeLimit(.minutes(20)))
struct DeltaPropertyTests {
    @Test("A delta applied to the old value yields the new one, and is {} only for equal values")
    func roundTrip() throws {
        var makers = Makers("deltas")
        var (same, different) = (0, 0)
        for round in 0..<1000 {
            let (old, new) = try makers.pair(round)
            let delta = try FleeceDelta(from: old, to: new)
            let applied = try FleeceDocument(validating: delta.applied(to: old), level: .strict)
            #expect(try json(applied.root) == json(new), "round \(round)")
            let isSame = try json(old) == json(new)
            #expect(delta.isEmpty == isSame, "round \(round)")
            if isSame { same += 1 } else { different += 1 }
            let back = try FleeceDelta(from: new, to: old).applied(to: new)
            #expect(try json(FleeceDocument(trusted: back).root) == json(old), "round \(round)")
        }
        #expect(same > 20 && different > 500)
    }

    @Test("Shared keys make no difference")
    func sharedKeys() throws {
        var makers = Makers("deltas with shared keys")
        for round in 0..<200 {
            let (old, new) = try makers.pair(round)
            let left = try numbered(old)
            let right = try numbered(new, table(["w0", "key", "a", "key_3"]))
            let delta = try FleeceDelta(from: left, to: right)
            var encoder = FleeceEncoder(sharedKeys: left.document.sharedKeys)
            try encoder.write(left, applying: delta)
            let now = encoder.sharedKeys
            let applied = try FleeceDocument(
                trusted: encoder.finish(), sharedKeys: try #require(now))
            #expect(applied.root == new, "round \(round)")
        }
    }

    @Test("The result of a delta on a base needs few bytes more than the changes")
    func base() throws {
        var makers = Makers("deltas on a base")
        var children = 0
        for round in 0..<300 {
            let (old, new) = try makers.pair(round)
            let delta = try FleeceDelta(from: old, to: new)
            var encoder = FleeceEncoder()
            try encoder.amend(old.document, externPointers: round % 2 == 0)
            try encoder.write(old, applying: delta)
            let bytes = try encoder.finish()
            // A root that takes 2 bytes is a separate document, not one after others.
            guard round % 2 == 0 || bytes.count > 2 else { continue }
            let whole =
                round % 2 == 0
                ? try FleeceDocument(trusted: bytes, base: old.document)
                : try FleeceDocument(trusted: [UInt8](old.document.bytes) + bytes)
            #expect(whole.root == new, "round \(round)")
            if delta.isEmpty, old.document.bytes.count > 2 { #expect(bytes.count <= 6) }
            if whole.root.dictionary?.raw.parent != nil { children += 1 }
        }
        #expect(children > 50)
    }

    @Test("A child dictionary created by a delta has the bytes of the reference")
    func child() throws {
        let base = try document(json: #"{"foo":123,"bar":"hello"}"#)
        let cases = [
            (#"{"foo":456}"#, "4366 6f6f 7002 0800 800a 8005 01c8 8005"),
            (#"{"foo":[]}"#, "4366 6f6f 7002 0800 800a 8005 3c00 8005"), ("{}", "8006"),
        ]
        for (delta, expected) in cases {
            var encoder = FleeceEncoder()
            try encoder.amend(base)
            try encoder.write(base.root, applying: FleeceDelta(json: delta))
            #expect(try hex(encoder.finish()) == expected, "\(delta)")
        }
    }

    @Test("JSON of any shape as a delta results in a value or an error")
    func hostile() throws {
        var makers = Makers("hostile deltas")
        var applied = 0
        for round in 0..<3000 {
            let (old, other) = try makers.pair(round % 49)
            // The delta of another document, or the document itself.
            let delta =
                makers.random.oneIn(2)
                ? try FleeceDelta(from: other, to: old).json.string : try json(other)
            do {
                let bytes = try FleeceDelta(json: makers.damaged(delta)).applied(to: old)
                _ = try FleeceDocument(validating: bytes, level: .strict)
                applied += 1
            } catch let error as FleeceError {
                #expect(error.code == .invalidData || error.code == .jsonError, "\(error)")
            }
        }
        #expect(applied > 300)
    }

    @Test("Patches of random operations result in a string or an error")
    func hostilePatches() throws {
        var random = SeededGenerator(for: "hostile patches")
        let old = Array("aé☠z".utf8)
        var applied = 0
        for _ in 0..<20_000 {
            var patch = ""
            for _ in 0..<random.below(7) {
                patch += random.pick(["0", "1", "1", "2", "3", "3", "7", "99999999999999999999"])
                patch += random.pick(["=", "=", "-", "-", "+a|", "+é|", "+☠|", "+", "|", ""])
            }
            let bytes = Array(patch.utf8)
            let result = try? bytes.withUnsafeBytes { patch in
                try old.withUnsafeBytes { try TextPatch.apply(patch, to: $0) }
            }
            guard let result else { continue }
            applied += 1
            #expect(result.withUnsafeBytes { UTF8Validation.firstInvalid(in: $0) } == nil)
        }
        #expect(applied > 100)
    }

    @Test("Data becomes its Base64 text, as in JSON")
    func data() throws {
        let old = try document(json: #"{"a":1}"#).root
        let value: MutableFleeceDictionary = ["a": .data([1, 2, 3])]
        let new = try FleeceDocument(trusted: encoded { try $0.write(value) }).root
        #expect(try FleeceDelta(from: old, to: new).json.string == #"{"a":"AQID"}"#)
        #expect(try FleeceDelta(from: new, to: new).isEmpty)
    }

    @Test("Small documents that stand for huge ones are compared or rejected early")
    func doubling() throws {
        let one = try FleeceDocument(trusted: Hostile.doubling(levels: 60)).root
        let same = try FleeceDocument(trusted: Hostile.doubling(levels: 60)).root
        #expect(try FleeceDelta(from: one, to: same).isEmpty)
        // The same except for the deepest value, which is different in 2^60 positions.
        var bytes = Hostile.doubling(levels: 60)
        bytes[3] = 1
        let other = try FleeceDocument(trusted: bytes).root
        #expect(code { _ = try FleeceDelta(from: one, to: other) } == .outOfRange)
    }

    @Test("Child dictionaries that delete all inherited pairs end early", .timeLimit(.minutes(20)))
    func disinherited() throws {
        let keys = table((0..<1000).map { "k\($0)" })
        func document(_ uses: Int) throws -> FleeceValue {
            let bytes = Hostile.disinherited(pairs: 1000, levels: 8, uses: uses)
            return try FleeceDocument(trusted: bytes, sharedKeys: keys).root
        }
        let many = try document(2000)
        let numbers = try FleeceDocument(
            trusted: encoded { encoder in
                encoder.beginArray()
                for _ in 0..<2000 {
                    encoder.beginDictionary()
                    try encoder.endDictionary()
                }
                try encoder.endArray()
            }
        ).root
        #expect(code { _ = try FleeceDelta(from: many, to: numbers) } == .outOfRange)
        let changes = (0..<2000).map { #""\#($0)":{"a":1}"# }.joined(separator: ",")
        let delta = FleeceDelta(json: "{\(changes)}")
        #expect(code { _ = try delta.applied(to: many) } == .outOfRange)
        #expect(try json(delta.applied(to: numbers)).count > 2000 * 7)
    }

    @Test("Values that are nested too deep are rejected")
    func depth() throws {
        let deep = try FleeceDocument(trusted: Hostile.nestedDictionaries(levels: 600)).root
        let other = try FleeceDocument(trusted: Hostile.nestedDictionaries(levels: 601)).root
        #expect(code { _ = try FleeceDelta(from: deep, to: other) } == .outOfRange)
        let brackets = String(repeating: #"{"a":"#, count: 100_000)
        #expect(code { _ = try FleeceDelta(json: brackets).applied(to: deep) } == .jsonError)
    }

    private func numbered(
        _ value: FleeceValue, _ keys: SharedKeys = SharedKeys()
    ) throws -> FleeceValue {
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.write(value)
        let now = encoder.sharedKeys
        return try FleeceDocument(trusted: encoder.finish(), sharedKeys: try #require(now)).root
    }
}

/// Creates documents that are changed forms of each other.
private struct Makers {
    var random: SeededGenerator
    private var json: RandomJSON
    private var changes: RandomChanges

    init(_ test: String) {
        random = SeededGenerator(for: test)
        json = RandomJSON(random: random)
        changes = RandomChanges(random: random, makesData: false)
    }

    mutating func pair(_ round: Int) throws -> (FleeceValue, FleeceValue) {
        let old = try document(json: json.document(round % 49)).root
        var value = MutableFleeceValue.value(old)
        var model = Plain(value) ?? .array([])
        for _ in 0..<random.below(6) { try changes.change(&value, &model) }
        return (old, try FleeceDocument(trusted: encoded { try $0.write(value) }).root)
    }

    /// A string with a few characters changed, in most cases.
    mutating func damaged(_ text: String) -> String {
        var characters = Array(text)
        for _ in 0..<random.below(4) where !characters.isEmpty {
            let place = random.below(characters.count)
            switch random.below(3) {
            case 0: characters[place] = random.pick(Array("0123456789[]{},:-\"ab"))
            case 1: characters.insert(random.pick(Array("0123456789[]{},:-\"ab")), at: place)
            default: characters.remove(at: place)
            }
        }
        return String(characters)
    }
}
