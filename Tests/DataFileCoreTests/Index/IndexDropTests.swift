import DataFileCore
import EngineTestSupport
import SQLCore
import Testing

@Suite("Deleting indexes", .serialized)
struct IndexDropTests {
    let fixture: IndexFixture

    init() throws {
        IndexSample.registerModel()
        fixture = try IndexFixture()
    }

    /// All permutations.
    private static func orders<T>(_ things: [T]) -> [[T]] {
        guard !things.isEmpty else { return [[]] }
        return things.indices.flatMap { index in
            var rest = things
            let first = rest.remove(at: index)
            return orders(rest).map { [first] + $0 }
        }
    }

    @Test(
        "leaves nothing of them, and returns whether they existed", arguments: IndexSample.allCases)
    func nothingLeft(sample: IndexSample) throws {
        try fixture.save(["d": #"{"a":[{"b":[{"c":1}]}]}"#])
        let empty = try fixture.wholeSchema()
        for condition in [nil, "d IS MISSING"] {
            #expect(try fixture.create(sample.spec(where: condition)))
            #expect(try !fixture.left(over: empty).isEmpty)
            #expect(try fixture.drop(sample.name))
            #expect(try fixture.left(over: empty) == [])
            #expect(try fixture.names() == [])
            #expect(try !fixture.drop(sample.name))
        }
        try fixture.save(["e": #"{"a":[]}"#])
    }

    @Test("keeps the array tables that other indexes use, in any order of deletion")
    func sharedArrays() throws {
        try fixture.save(["d": #"{"a":[{"b":[1,2],"x":3}]}"#])
        let empty = try fixture.wholeSchema()
        let specs: [(spec: IndexSpec, tables: Set<String>)] = [
            (.array("one", path: "a", on: "x"), ["a"]),
            (.array("two", path: "a", on: "x, b"), ["a"]),
            (.array("three", path: "a[].b"), ["a", "b"]),
            (.array("four", path: "a[].b", on: "c"), ["a", "b"]),
        ]
        let names = [
            "a": ArrayTable.name(ofPlain: "kv_default:unnest:a"),
            "b": ArrayTable.name(ofPlain: "kv_default:unnest:a[].b"),
        ]
        for (round, order) in Self.orders(Array(specs.indices)).enumerated() {
            for spec in (round % 2 == 0 ? specs : specs.reversed()) {
                #expect(try fixture.create(spec.spec))
            }
            var kept = Set(specs.indices)
            for index in order {
                #expect(try fixture.drop(specs[index].spec.name))
                kept.remove(index)
                let needed = kept.reduce(into: Set<String>()) { $0.formUnion(specs[$1].tables) }
                let schema = try fixture.schema()
                for (path, table) in names {
                    #expect(schema.contains(table) == needed.contains(path), "\(order) \(path)")
                    let hasTriggers = schema.contains { $0.hasPrefix(table + "::") }
                    #expect(hasTriggers == needed.contains(path), "\(order) \(path)")
                }
            }
            #expect(try fixture.left(over: empty) == [])
        }
    }

    @Test("keeps the table of predictions that other indexes use, in any order of deletion")
    func sharedPredictions() throws {
        try fixture.save(["d": #"{"a":1,"b":2}"#])
        let empty = try fixture.wholeSchema()
        let specs: [IndexSpec] = [
            .predictive("one", on: "PREDICTION('index_echo', {'n': a}, .n)"),
            .predictive("two", on: "PREDICTION('index_echo', {'n': a}, .m)"),
            .predictive("three", on: "PREDICTION('index_echo', {'n': a})"),
        ]
        for order in Self.orders([0, 1, 2]) {
            for spec in specs { #expect(try fixture.create(spec)) }
            let tables = try fixture.schema().filter { $0.hasPrefix("kv_default:predict:") }
            #expect(tables.filter { !$0.contains("::") }.count == 1)
            for (place, index) in order.enumerated() {
                #expect(try fixture.drop(specs[index].name))
                #expect(try fixture.left(over: empty).isEmpty == (place == 2))
            }
        }
        // Another model, input or condition has a table of its own.
        for spec in specs { #expect(try fixture.create(spec)) }
        #expect(
            try fixture.create(.predictive("four", on: "PREDICTION('index_echo', {'n': b}, .n)")))
        #expect(
            try fixture.create(
                .predictive("five", on: "PREDICTION('index_echo', {'n': a}, .n)", where: "b = 2")))
        let names = try fixture.schema().filter { $0.hasPrefix("kv_default:predict:") }
        #expect(names.filter { !$0.contains("::") }.count == 3)
    }

    @Test("keeps the documents if the file declares their table to be that of an index")
    func hostileRegistry() throws {
        try fixture.save(["d": #"{"a":1}"#])
        try fixture.create(.value("v", on: "a"))
        let other = try fixture.engine.sqlite()
        for kind in 0...5 {
            for table in ["kv_default", "kv_info", "kvmeta", "indexes", "sqlite_master", ""] {
                try other.exec(
                    sql: "INSERT INTO indexes (name, type, keyStore, indexTableName) "
                        + "VALUES ('evil', \(kind), 'default', \(table.sqlLiteral))")
                #expect(try fixture.drop("evil"))
            }
        }
        #expect(try fixture.names() == ["v"])
        #expect(try fixture.engine.liveRows().count == 1)
        #expect(try fixture.schema().contains("indexes"))
    }

    @Test("is part of deleting their collection", arguments: [nil, "d IS MISSING"])
    func collection(condition: String?) throws {
        let empty = try fixture.wholeSchema()
        let hotels = DocumentCollection(try CollectionName("hr.Hotels"))
        try fixture.file.write { try hotels.create(in: $0) }
        try fixture.create(.value("other", on: "a"))
        for sample in IndexSample.allCases {
            try fixture.create(sample.spec(where: condition), in: hotels)
        }
        try fixture.save(["d": #"{"a":[{"b":[{"c":1}]}]}"#], in: hotels)
        #expect(try fixture.file.write { try hotels.delete(in: $0) })
        #expect(try fixture.left(over: empty) == ["index other"])
        #expect(try fixture.engine.rows("SELECT name FROM indexes") == ["other"])
        try fixture.file.write { try hotels.create(in: $0) }
        for sample in IndexSample.allCases {
            #expect(try fixture.create(sample.spec(where: condition), in: hotels))
        }
    }
}
