import DataFileCore
import EngineTestSupport
import QueryBuilder
import QueryEngine
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("Typed queries with hostile strings")
struct QueryBuilderInjectionTests {
    @Test("values, keys, names of properties and of indexes are unchanged")
    func texts() throws {
        let guests = try DocumentCollection.guests
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 10_000)
        var texts = HostileStrings(random: SeededGenerator(printing: "QueryBuilderInjectionTests"))
        var read = 0
        for _ in 0..<count {
            let text = texts.next()
            let query = from(guests)
                .where { $0.nick == text && $0.name.last.like(text) && $0.scores[text] > 3 }
                .where { $0.likes.any { $0.in([text]) } || $0.meta.id == text }
                .select { ($0.age, $0.scores[text]) }
                .orderBy { $0.scores[text] }
            // The printed text parses to the same tree: the string is a string, or a name.
            let printed = try query.sqlPlusPlus
            #expect(try Query(printed).json == query.query.json, "\(text.debugDescription)")
            #expect(try Query(json: query.query.json).sqlPlusPlus == printed)
            read += 1
        }
        #expect(read == count)
    }

    @Test("invalid names of parameters and sources are errors")
    func names() throws {
        let guests = try DocumentCollection.guests
        for name in ["", "a b", "a'", "$a", "a;--", "é"] {
            #expect(throws: StoreError.self) {
                try from(guests).where { $0.age > parameter(name) }.query
            }
        }
        #expect(throws: StoreError.self) { try from(guests, as: "").query }
        let hostile = from(guests, as: "x` OR 1=1 --").where(\.age > 1).select(\.age)
        #expect(try Query(hostile.sqlPlusPlus).json == hostile.query.json)
    }
}
