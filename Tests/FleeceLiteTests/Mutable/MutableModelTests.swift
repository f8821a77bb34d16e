import SampleData
import Testing

import FleeceLite

@Suite("Mutable values: against a model", .timeLimit(.minutes(20)))
struct MutableModelTests {
    @Test("Random changes have the same result as on a model of Swift's own collections")
    func model() throws {
        var changes = RandomChanges(random: SeededGenerator(for: "mutable values"))
        var json = RandomJSON(random: SeededGenerator(for: "mutable values' sources"))
        for round in 0..<150 {
            let keys: SharedKeys? = round % 2 == 0 ? nil : table(["type", "a", "w4", "key_7"])
            var encoder = FleeceEncoder(sharedKeys: keys)
            try encoder.writeJSON(json.document(round % 49))
            let numbered = encoder.sharedKeys ?? SharedKeys()
            let source = try FleeceDocument(trusted: encoder.finish(), sharedKeys: numbered)
            let before = Tree(source.root)
            var value = MutableFleeceValue.value(source.root)
            var model = try #require(Plain(value))
            for _ in 0..<5 {
                let (copy, copied) = (value, model)
                for _ in 0..<10 { try changes.change(&value, &model) }
                try expect(value, is: model, keys, "round \(round)")
                try expect(copy, is: copied, keys, "the copy of round \(round)")
            }
            #expect(Tree(source.root) == before)
        }
    }

    private func expect(
        _ value: MutableFleeceValue, is model: Plain, _ keys: SharedKeys?, _ comment: Comment
    ) throws {
        let found = Plain(value)
        try #require(found == model, comment)
        #expect(value == model.mutable, comment)
        var encoder = FleeceEncoder(sharedKeys: keys)
        try encoder.write(value)
        let numbered = encoder.sharedKeys ?? SharedKeys()
        let bytes = try encoder.finish()
        let document = try FleeceDocument(validating: bytes, sharedKeys: numbered, level: .strict)
        #expect(Plain(.value(document.root)) == model, comment)
        #expect(MutableFleeceValue.value(document.root) == value, comment)
    }
}
