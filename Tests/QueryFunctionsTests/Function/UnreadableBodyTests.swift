import QueryFunctions
import SQLCore
import Testing

@Suite("Bodies that functions cannot read")
struct UnreadableBodyTests {
    let fixture: FunctionFixture

    init() throws {
        fixture = try FunctionFixture()
    }

    /// The number of unreadable bodies that a call reports.
    private func met(_ call: String, _ parameters: SQLValue...) throws -> Int {
        let before = fixture.functions.unreadableBodies
        _ = try fixture.context.selectAll(sql: "SELECT \(call)", parameters: parameters)
        return fixture.functions.unreadableBodies - before
    }

    @Test(
        "are counted by functions that read a property",
        arguments: [
            "x'00'", "x'0102030405'", "zeroblob(200)", "'text'", "5", "x'0000'", "x'6000'",
            "x'4161'", "x'7001'", "x'8001'",
        ])
    func damaged(body: String) throws {
        for call in [
            "fl_value(\(body), 'a')", "fl_unindexed_value(\(body), 'a')",
            "fl_result_value(\(body), 'a')", "fl_fts_value(\(body), 'a')",
            "fl_exists(\(body), 'a')", "fl_count(\(body), 'a')", "fl_blob(\(body), 'a')",
            "fl_contains(\(body), 'a', 1)",
        ] {
            #expect(try met(call) == 1, "\(call)")
        }
    }

    @Test("are counted as a whole if they are not Fleece", arguments: ["x'00'", "zeroblob(200)"])
    func root(body: String) throws {
        #expect(try met("fl_root(\(body))") == 1)
    }

    @Test("do not include rows without a body: NULL, no bytes, a revision without one")
    func none() throws {
        // Size, parent, flags (a leaf, deleted), length of the id, the id, the sequence; the end.
        for body in ["NULL", "x''", "x'0000000BFFFF030201410100000000'"] {
            #expect(try met("fl_value(\(body), 'a')") == 0, "\(body)")
            #expect(try met("fl_root(\(body))") == 0, "\(body)")
        }
    }

    @Test("do not include bodies without the property, or values without properties")
    func lacking() throws {
        let body = try fixture.body(#"{"a":{"b":[1,"x"]},"n":1}"#)
        for path in ["nope", "a.nope", "n.x", "a.b[7]", "a.b.x"] {
            #expect(try met("fl_value(?, ?)", body, .text(path)) == 0, "\(path)")
        }
        #expect(try met("fl_unnested_value('x', 'a')") == 0)
        #expect(try met("fl_unnested_value(array_of(1), 'a')") == 0)
        #expect(try met("fl_nested_value(5, 'a')") == 0)
        #expect(try met("fl_count(5, '')") == 0)
        #expect(try met("fl_contains(5, NULL, 1)") == 0)
        #expect(try met("fl_value(?, 'n')", body) == 0)
    }
}
