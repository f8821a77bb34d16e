import SQLCore
import Testing
@testable import QueryFunctions

@Suite("A stop word followed by * in a full-text query")
struct FullTextQueryModeTests {
    private let table: FullTextTable

    init() throws {
        table = try FullTextTable()
        try table.insert("theology of the* ancients")
        try table.insert("the ancients")
    }

    @Test("is a prefix of other words while a query runs, and a stop word otherwise")
    func prefix() throws {
        #expect(try table.rows(matching: "the*") == [])
        for queries in [["the*"], ["x", "a OR the*"], nil] {
            let rows = try FullTextQueryMode.searching(for: queries) {
                try table.rows(matching: "the*")
            }
            #expect(rows == [1])
        }
        #expect(try table.rows(matching: "the*") == [])
    }

    @Test("is a stop word in a document with the same text, even while a query runs")
    func documents() throws {
        let query = "ancient the*"
        let rows = try FullTextQueryMode.searching(for: [query]) {
            try table.rows(matching: query)
        }
        #expect(rows == [1])
        // The words are at the same places when the document is read again.
        let offsets = try FullTextQueryMode.searching(for: [query]) {
            try table.values("offsets(t)", matching: query)
        }
        #expect(offsets == [.text("0 1 0 8 0 0 17 8")])
    }

    @Test("applies to the text of the query only")
    func otherTexts() throws {
        let rows = try FullTextQueryMode.searching(for: ["something else"]) {
            try table.rows(matching: "the*")
        }
        #expect(rows == [])
    }

    @Test("queries within queries return to the outer one, also when they fail")
    func nesting() {
        struct Failure: Error {}
        let text = Array("the*".utf8)
        text.withUnsafeBytes { text in
            FullTextQueryMode.searching(for: ["the*"]) {
                #expect(FullTextQueryMode.isQuery(text))
                do {
                    try FullTextQueryMode.searching(for: []) { () throws(Failure) in
                        #expect(!FullTextQueryMode.isQuery(text))
                        throw Failure()
                    }
                } catch {
                    #expect(FullTextQueryMode.isQuery(text))
                }
                #expect(FullTextQueryMode.isQuery(text))
            }
            #expect(!FullTextQueryMode.isQuery(text))
        }
    }
}
