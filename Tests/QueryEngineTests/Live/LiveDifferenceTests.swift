import QueryLanguage
import SampleData
import Testing
@testable import QueryEngine

@Suite("Differences of results")
struct LiveDifferenceTests {
    private let columns = QueryColumns(["value"])

    /// Rows of documents: `a1` is the document `a` with the value 1.
    private func rows(_ text: String) -> [ResultRow] {
        text.split(separator: " ").map { word in
            ResultRow(columns, [.string(String(word.dropFirst()))], key: String(word.prefix(1)))
        }
    }

    private func difference(_ old: String, _ new: String) -> String {
        let before = rows(old).map { LiveRow($0) }
        let after = LiveDifference.merged(before, rows(new), keepsOrder: false)
        let version = LiveVersion(
            after, ["value"], LiveDifference.between(before, after), number: 2)
        let earlier = LiveVersion(before, ["value"], QueryDifference(), number: 1)
        return version.results(after: earlier)?.text ?? "nothing"
    }

    @Test(
        "inserted, removed and updated rows, and the fewest moved ones",
        arguments: [
            ("a1 b1 c1", "a1 b1 c1", "nothing"),
            ("a1 b1 c1", "a1 x1 b1 c1", "a x b c | +x@1"),
            ("a1 b1 c1", "a1 c1", "a c | -b@1"),
            ("a1 b1 c1", "a1 b2 c1", "a b c | ~b@1"),
            ("a1 b1 c1 d1", "d1 a1 b1 c1", "d a b c | >d@0"),
            ("a1 b1 c1 d1", "b1 c1 d1 a1", "b c d a | >a@3"),
            ("a1 b1 c1 d1", "d2 a1 b1 c1", "d a b c | ~d@0"),
            ("a1 b1", "", " | -a@0 -b@1"),
            ("", "a1 b1", "a b | +a@0 +b@1"),
            ("a1 b1 c1", "x1 c1 a2", "x c a | +x@0 -b@1 ~a@2"),
        ])
    func differences(old: String, new: String, expected: String) {
        #expect(difference(old, new) == expected)
    }

    @Test("rows keep their positions without an order: new ones come last")
    func keptOrder() {
        let before = rows("a1 b1 c1 d1").map { LiveRow($0) }
        let after = LiveDifference.merged(before, rows("x1 d1 c2 a1"), keepsOrder: true)
        #expect(after.compactMap(\.row.key) == ["a", "c", "d", "x"])
        #expect(after[0] === before[0] && after[2] === before[3] && after[1] !== before[2])
    }

    @Test("100,000 equal rows are matched in linear time")
    func equalRows() {
        let row = ResultRow(columns, [.integer(1)], key: nil)
        let before = (0..<100_000).map { _ in LiveRow(row) }
        let after = LiveDifference.merged(
            [], Array(repeating: row, count: 99_999), keepsOrder: false)
        let difference = LiveDifference.between(before, after)
        #expect(difference.removed.map(\.position) == [99_999] && difference.moved.isEmpty)
        #expect(difference.updated.isEmpty && difference.inserted.isEmpty)
    }

    @Test("a position in a long order is found by reading a few rows")
    func search() throws {
        let columns = columns
        let others = (0..<5000).map { LiveRow(ResultRow(columns, [], key: "\($0 * 2)")) }
        var asked = 0
        let search = LiveSearch { keys in
            asked += keys.count
            return keys.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) }
                .map { ResultRow(columns, [], key: $0) }
        }
        for value in [-1, 1, 4999, 5001, 9997, 9999] {
            let row = LiveRow(ResultRow(columns, [], key: "\(value)"))
            #expect(try search.gaps(of: [row], among: others, [nil]) == [(value + 1) / 2])
        }
        #expect(asked < 6 * 200)
        let several = [3, 5, 7000, 7001].map {
            LiveRow(ResultRow(columns, [], key: "\($0 * 2 + 1)"))
        }
        let gaps = try search.gaps(of: several, among: others, [4, nil, nil, 0])
        #expect(gaps == [4, 6, 5000, 5000])
        let confused = LiveSearch { keys in keys.map { ResultRow(columns, [], key: $0) } }
        #expect(try confused.gaps(of: [several[0]], among: others, [nil]) == nil)
    }
}
