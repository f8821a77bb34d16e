import SampleData
import Testing

@testable import FleeceLite

@Suite("Mutable dictionaries of many properties")
struct MutableDictionarySizeTests {
    @Test(
        "contain what was set and not what was removed, regardless of their number",
        arguments: [3, 12, 13, 14, 60, 700])
    func model(size: Int) throws {
        var random = SeededGenerator(for: "mutable dictionaries of \(size)")
        var dictionary = MutableFleeceDictionary()
        var model: [String: Int64] = [:]
        for step in 0..<size * 12 {
            // Keys of one length and of several, some of which differ in their form of Unicode.
            let number = random.below(size)
            let key = ["k", "key of a longer name ", "é", "e\u{301}"][number % 4] + "\(number)"
            switch random.below(5) {
            case 0, 1:
                dictionary[key] = nil
                model[key] = nil
            case 2:
                if case .int(let old)? = dictionary[key] { dictionary[key] = .int(old &+ 1) }
                model[key] = model[key].map { $0 &+ 1 }
            default:
                dictionary[key] = .int(Int64(step))
                model[key] = Int64(step)
            }
            #expect(dictionary.count == model.count)
            #expect(dictionary[key]?.int == model[key])
        }
        let keys = model.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(dictionary.keys == keys)
        var encoder = FleeceEncoder()
        try encoder.write(dictionary)
        let written = try FleeceDocument(trusted: encoder.finish()).root.dictionary
        #expect(written?.map(\.key) == keys)
        #expect(written?.map(\.value.int) == keys.map { model[$0] })
    }

    @Test("of equal keys the last one wins, also if it is undefined, and there are many")
    func equalKeys() throws {
        var pairs: [(String, MutableFleeceValue)] = (0..<40).map {
            ("k\($0 % 20)", .int(Int64($0)))
        }
        let document = try FleeceDocument(trusted: bytes("7000"))
        pairs.append(("k3", .value(FleeceValue(document: document, raw: .undefined))))
        let dictionary = MutableFleeceDictionary(pairs)
        #expect(dictionary.count == 19)
        #expect(dictionary["k3"] == nil)
        #expect(dictionary["k4"]?.int == 24)
    }
}
