import DataFileCore
import EngineTestSupport
import FleeceLite
import QueryFunctions
import QueryLanguage
import SQLCore
import SampleData
import StoreFormat
import StoreTestSupport
import Testing

@Suite("SQL of hostile names and strings", .timeLimit(.minutes(20)))
struct InjectionTests {
    let context: SQLContext
    let functions: FunctionContext
    let failures = PredictionFailures()

    init() throws {
        context = try SQLContext()
        functions = try FunctionContext(sharedKeys: SharedKeys())
        try SQLFunctions.register(in: context, functions, failures)
        try context.exec(
            sql: "CREATE TABLE kv_default (key TEXT, sequence INTEGER, flags INTEGER, "
                + "version BLOB, body BLOB, expiration INTEGER)")
    }

    /// The tokens of a statement except strings and quoted names; nil if one is not closed.
    private static func skeleton(_ sql: String) -> String? {
        var skeleton = ""
        var quote: UInt8?
        for byte in sql.utf8 {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
                if skeleton.last != "Q" { skeleton += "Q" }
            } else {
                skeleton.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
        return quote == nil ? skeleton : nil
    }

    /// Makes the same expression of a harmless text and of hostile ones: both have the same SQL
    /// but for what stands in quotes, and it is one statement.
    private func run(
        _ name: String, _ make: (String) -> QueryExpression
    ) throws {
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 10_000)
        var texts = HostileStrings(random: SeededGenerator(printing: "InjectionTests.\(name)"))
        let harmless = try make("a b").indexSQL(of: .documents(prefix: "_doc."))
        let expected = try #require(Self.skeleton(harmless))
        var compiled = 0
        for _ in 0..<count {
            let text = texts.next()
            let sql: String
            do {
                sql = try make(text).indexSQL(of: .documents(prefix: "_doc."))
            } catch let error as StoreError where error.has(.invalidQuery) {
                #expect(text.utf8.contains(0) || text.isEmpty, "\(text.debugDescription)")
                continue
            }
            guard Self.skeleton(sql) == expected else {
                Issue.record("\(name) \(text.debugDescription) becomes \(sql)")
                continue
            }
            // What ends the expression too early leaves the parenthesis or the text behind it over.
            let statement = "EXPLAIN SELECT 1 FROM kv_default AS _doc WHERE (\(sql)) AND 'end'"
            let prepared = try context.prepare(sql: statement)
            defer { prepared.close() }
            #expect(prepared.columnCount == 8, "\(sql)")
            compiled += 1
        }
        #expect(compiled > count / 3)
    }

    private let a = QueryExpression.property(PropertyPath([.key("a")]))

    @Test("is that of the same expression, for strings")
    func texts() throws {
        try run("texts") { .operation(.equal, [a, .string($0)]) }
        try run("texts in lists") { .operation(.in, [a, .array([.string($0), .string("z")])]) }
        try run("keys") { .dictionary([QueryDictionaryEntry(key: $0, value: a)]) }
    }

    @Test("is that of the same expression, for names of properties")
    func properties() throws {
        try run("properties") { .property(PropertyPath([.key("x" + $0), .index(1), .key($0)])) }
        try run("nested properties") { .nested(a, PropertyPath([.key($0)])) }
        try run("counted properties") { .function("array_count", [.property(.init([.key($0)]))]) }
        try run("existing properties") { .operation(.exists, [.property(.init([.key($0)]))]) }
        try run("blobs") { .blob(PropertyPath([.key($0)])) }
        try run("predicted properties") {
            .prediction(model: .string($0), input: a, property: PropertyPath([.key($0)]))
        }
    }

    @Test("is that of the same expression, for variables")
    func variables() throws {
        try run("variables") { name in
            .quantified(
                QueryQuantifier(
                    kind: .any, variable: "v " + name, collection: a,
                    condition: .operation(
                        .less, [.variable("v " + name, PropertyPath([.key("k")])), .string(name)])))
        }
    }

    @Test("is that of the same expression, for locales of collations, which are then unknown")
    func locales() throws {
        var texts = HostileStrings(random: SeededGenerator(printing: "InjectionTests.locales"))
        for _ in 0..<10_000 {
            let locale = "l " + texts.next()
            let order = QueryCollation(isUnicode: true, locale: locale)
            for expression in [
                QueryExpression.collate(order, .operation(.equal, [a, .string("b")])),
                .collate(order, .operation(.like, [a, .string("b")])),
            ] {
                let sql: String
                do {
                    sql = try expression.indexSQL()
                } catch let error as StoreError where error.has(.invalidQuery) {
                    #expect(locale.utf8.contains(0))
                    continue
                }
                let skeletons = [
                    "fl_value(body, Q) COLLATE Q = Q", "fl_like(fl_value(body, Q), Q, Q)",
                ]
                #expect(skeletons.contains(Self.skeleton(sql) ?? "open"), "\(sql)")
            }
        }
    }

    @Test("is one index of that name, for names of indexes")
    func indexNames() throws {
        let count = TestEnvironment.number("STORE_FUZZ_INPUTS", or: 1_000)
        var texts = HostileStrings(random: SeededGenerator(printing: "InjectionTests.indexNames"))
        var made: Set<String> = []
        for _ in 0..<count {
            let name = texts.next()
            let spec = IndexSpec.value(name, on: "a")
            guard !name.utf8.contains(0),
                made.insert(name.asciiUppercased).inserted
            else { continue }
            let schema = try spec.schema(of: .default)
            let sql = try #require(schema.index).sql(name)
            #expect(Self.skeleton(sql)?.hasSuffix(" ON kv_default (fl_value(body, Q))") == true)
            try context.exec(sql: sql)
            let names = try context.selectAll(
                sql: "SELECT name FROM sqlite_master WHERE name = ?", parameters: [.text(name)])
            #expect(names.count == 1, "\(name.debugDescription)")
            try context.exec(sql: "DROP INDEX main.\(name.sqlName)")
            #expect(try context.lines("SELECT name FROM sqlite_master") == ["kv_default"])
        }
        #expect(made.count > count / 2)
    }
}
