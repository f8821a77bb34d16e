import StoreTestSupport
import Testing
@testable import DataFileCore

@Suite("Most recently used values")
struct RecentValuesTests {
    @Test("remain, others are dropped, and there are never more than two generations")
    func stay() {
        var values = RecentValues<Int, String>(capacity: 4)
        values.keep("always", -1)
        for number in 0..<100 {
            values.keep("\(number)", number)
            #expect(values.value(number) == "\(number)")
            #expect(values.value(-1) == "always")
            #expect((0..<100).count { values.contains($0) } <= 8)
        }
        #expect(!values.contains(0))
    }
}

extension RecentValues {
    /// Whether a value is cached, without moving it to the young generation.
    fileprivate func contains(_ key: Key) -> Bool {
        var copy = self
        return copy.value(key) != nil
    }
}
