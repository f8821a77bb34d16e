import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryEngine
import SampleData
import StoreTestSupport
import Testing

@Suite("Hostile strings in queries", .timeLimit(.minutes(20)))
struct QueryInjectionTests {
    private let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 10_000)

    private static func quoted(_ text: String, by quote: Unicode.Scalar) -> String {
        var quoted = String.UnicodeScalarView([quote])
        for scalar in text.unicodeScalars {
            quoted.append(scalar)
            if scalar == quote { quoted.append(quote) }
        }
        quoted.append(quote)
        return String(quoted)
    }

    private func fixture() throws -> QueryFixture {
        try QueryFixture([("a", #"{"n":1,"s":"x"}"#), ("b", #"{"n":2,"s":"y"}"#)])
    }

    @Test("are values of parameters, and nothing else")
    func values() throws {
        let fixture = try fixture()
        var texts = HostileStrings(random: SeededGenerator(printing: "QueryInjectionTests.values"))
        let query = try Query("SELECT $x AS x, n FROM _ WHERE s = $x OR $x = $x ORDER BY n")
        try fixture.file.read { snapshot in
            for _ in 0..<count {
                let text = texts.next()
                let rows = try query.rows(in: snapshot, ["x": .string(text)]).all()
                #expect(rows.map { $0["n"].int } == [1, 2])
                #expect(rows[0]["x"] == .string(text), "\(text.debugDescription)")
            }
        }
    }

    @Test("are literals and names of a query, and nothing else")
    func names() throws {
        let fixture = try fixture()
        var texts = HostileStrings(random: SeededGenerator(printing: "QueryInjectionTests.names"))
        var asked = 0
        for _ in 0..<count {
            let text = texts.next()
            guard !text.utf8.contains(0), !text.isEmpty else { continue }
            let quoted = Self.quoted(text, by: "`")
            let literal = Self.quoted(text, by: "'")
            let query = try Query(
                "SELECT \(literal) AS \(quoted), a1.\(quoted).\(quoted) AS m, a1.n "
                    + "FROM _ AS a1 LET \(quoted) = a1.n WHERE a1.\(quoted) IS MISSING "
                    + "AND a1.s != \(literal) ORDER BY a1.n")
            let rows = try fixture.file.read { try query.rows(in: $0).all() }
            #expect(rows.map { $0["n"].int } == [1, 2], "\(text.debugDescription)")
            #expect(rows.first?[0] == .string(text) && rows.first?.columnNames[0] == text)
            asked += 1
        }
        #expect(asked > count / 2)
    }

    @Test("are names of sources and of variables, and nothing else")
    func sources() throws {
        let fixture = try fixture()
        var texts = HostileStrings(random: SeededGenerator(printing: "QueryInjectionTests.sources"))
        for _ in 0..<(count / 4) {
            let text = texts.next()
            guard !text.utf8.contains(0), !text.isEmpty else { continue }
            let quoted = Self.quoted(text, by: "`")
            let query = try Query(
                "SELECT \(quoted).n FROM _ AS \(quoted) WHERE "
                    + "ANY \(quoted)  IN [1, 2] SATISFIES \(quoted) = 1 END ORDER BY \(quoted).n")
            let rows = try fixture.file.read { try query.rows(in: $0).all() }
            #expect(rows.map { $0["n"].int } == [1, 2], "\(text.debugDescription)")
        }
    }
}
