import Testing

@testable import CouchbaseReplication

@Suite("Sequences of the other side")
struct RemoteSequenceTests {
    @Test(
        "have an order, whether they are numbers or those of Sync Gateway",
        arguments: [
            ("1", "2"), ("9", "10"), ("7", #""8""#), (#""5:11""#, #""6:11""#),
            (#""3::12""#, "12"), (#""3:4:12""#, #""3:5:12""#), ("11", #""11:12""#),
        ])
    func order(earlier: String, later: String) throws {
        let (first, second) = (
            try #require(RemoteSequence(json: earlier)), try #require(RemoteSequence(json: later))
        )
        #expect(first < second && !(second < first) && first != second)
    }

    @Test(
        "of another kind have none",
        arguments: [
            "", "-1", "1.5", "null", "true", "[1]", #"{"a":1}"#, #""""#, #""a""#, #""1:2:3:4""#,
        ])
    func other(json: String) {
        #expect(RemoteSequence(json: json) == nil)
    }
}
