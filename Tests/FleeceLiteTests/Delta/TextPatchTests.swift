import SampleData
import Testing

@testable import FleeceLite

@Suite("Deltas: patches of strings")
struct TextPatchTests {
    private static let text =
        "It was a bright cold day in April, and the clocks were striking thirteen, all of them."

    @Test(
        "A long string with a small change is patched",
        arguments: [
            (text, text.replacingFirst("April", "May"), "28=5-3+May|53="),
            (text, "So: " + text, "4+So: |86="), (text, text + " Yes.", "86=5+ Yes.|"),
            (text, text.replacingFirst(" cold", ""), "16=5-65="),
            (text.replacingFirst("cold", "kälter"), text.replacingFirst("cold", "kaltär"), nil),
            (text, text.replacingFirst("cold", "☠cold☠"), "16=3+☠|4=3+☠|66="),
        ] as [(String, String, String?)])
    func patches(old: String, new: String, patch: String?) throws {
        let delta = try FleeceDelta(from: value(old), to: value(new))
        if let patch {
            #expect(delta.json.string == #"{"0":["\#(patch)",0,2]}"#)
        } else {
            #expect(delta.json.string.contains(",0,2]"))
        }
        #expect(try result(delta, old) == new)
    }

    @Test("Only a new string of 60 bytes or more is patched, and only if that is shorter")
    func limits() throws {
        let long = String(repeating: "abcdefghij", count: 6)
        #expect(
            try FleeceDelta(from: value(long + "k"), to: value(long)).json.string.contains("1-"))
        let short = String(long.dropLast())
        #expect(
            try FleeceDelta(from: value(long), to: value(short)).json.string
                == #"{"0":"\#(short)"}"#)
        let other = String(repeating: "0123456789", count: 6)
        #expect(
            try FleeceDelta(from: value(long), to: value(other)).json.string
                == #"{"0":"\#(other)"}"#)
    }

    @Test("Characters of several bytes are never cut, even if they share bytes")
    func characters() throws {
        let head = String(repeating: "x", count: 70)
        for (old, new) in [("é", "è"), ("☠", "☢"), ("😀", "😁"), ("é", "e\u{301}"), ("ab", "b€a")] {
            let delta = try FleeceDelta(from: value(head + old), to: value(head + new))
            #expect(delta.json.string.contains("|"))
            #expect(try result(delta, head + old) == head + new)
        }
    }

    @Test("Random changes of a string are found, in few edits")
    func random() throws {
        var random = SeededGenerator(for: "patches of strings")
        var patched = 0
        for round in 0..<200 {
            let alphabet = random.pick([["a", "b"], ["a", "é", "☠", "😀", "z"], words])
            let old = (0..<(20 + random.below(300))).map { _ in random.pick(alphabet) }
            var new = old
            for _ in 0..<(1 + random.below(6)) where !new.isEmpty {
                let place = random.below(new.count)
                switch random.below(3) {
                case 0: new[place] = random.pick(alphabet)
                case 1: new.insert(random.pick(alphabet), at: place)
                default: new.removeSubrange(place..<min(new.count, place + random.below(9)))
                }
            }
            let (left, right) = (old.joined(), new.joined())
            let delta = try FleeceDelta(from: value(left), to: value(right))
            #expect(try result(delta, left) == right, "round \(round)")
            if delta.json.string.contains(",0,2]") { patched += 1 }
        }
        #expect(patched > 150)
    }

    @Test("The fewest edits are found, as long as the work is affordable")
    func shortest() {
        var random = SeededGenerator(for: "fewest edits")
        for round in 0..<400 {
            let old = (0..<random.below(14)).map { _ in
                random.pick(["a", "b", "c"] as [Unicode.Scalar])
            }
            let new = (0..<random.below(14)).map { _ in
                random.pick(["a", "b", "c"] as [Unicode.Scalar])
            }
            var difference = TextDifference(old: old, new: new)
            var (edits, used, made) = (0, [Unicode.Scalar](), [Unicode.Scalar]())
            for edit in difference.edits() {
                switch edit {
                case .keep(let part):
                    used += part
                    made += part
                case .delete(let part):
                    used += part
                    edits += part.count
                case .insert(let part):
                    made += part
                    edits += part.count
                }
            }
            #expect(used == old && made == new, "round \(round)")
            #expect(edits == fewestEdits(old, new), "round \(round)")
        }
    }

    @Test("The comparison of strings with nothing in common ends early", .timeLimit(.minutes(20)))
    func work() throws {
        var random = SeededGenerator(for: "texts with nothing in common")
        let old = String((0..<40_000).map { _ in random.pick(Array("abcdefgh")) })
        let new = String((0..<40_000).map { _ in random.pick(Array("abcdefgh")) })
        let delta = try FleeceDelta(from: value(old), to: value(new))
        #expect(try result(delta, old) == new)
        // The same string in the middle of others is found nevertheless.
        let middle = try FleeceDelta(from: value("1" + old + "2"), to: value("345" + old + "6"))
        #expect(middle.json.utf8.count < 50)
    }

    private var words: [String] {
        ["the ", "quick ", "brown ", "fox ", "jumps ", "over ", "dögs "]
    }

    private func value(_ string: String) throws -> FleeceValue {
        try FleeceDocument(
            trusted: encoded { encoder in
                encoder.beginArray()
                encoder.writeString(string)
                try encoder.endArray()
            }
        ).root
    }

    private func result(_ delta: FleeceDelta, _ old: String) throws -> String? {
        try FleeceDocument(trusted: delta.applied(to: value(old))).root.array?[0].string
    }

    /// The plain algorithm with a table.
    private func fewestEdits(_ old: [Unicode.Scalar], _ new: [Unicode.Scalar]) -> Int {
        var row = Array(0...new.count)
        for (x, scalar) in old.enumerated() {
            var diagonal = row[0]
            row[0] = x + 1
            for y in 0..<new.count {
                let above = row[y + 1]
                row[y + 1] = scalar == new[y] ? diagonal : min(above, row[y]) + 1
                diagonal = above
            }
        }
        return row[new.count]
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, _ other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return replacingCharacters(in: range, with: other)
    }

    private func replacingCharacters(in range: Range<Index>, with other: String) -> String {
        String(self[..<range.lowerBound]) + other + self[range.upperBound...]
    }
}
