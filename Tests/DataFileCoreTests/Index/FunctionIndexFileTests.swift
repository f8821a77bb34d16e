import DataFileCore
import EngineTestSupport
import SQLCore
import StoreFormat
import StoreTestSupport
import StoreTools
import Testing
@testable import QueryFunctions

@Suite("Indexes of functions")
struct FunctionIndexFileTests {
    /// Each function of the query language that can be indexed, with each accepted number of
    /// arguments up to three.
    private static let expressions = QueryFunction.all.flatMap { function -> [String] in
        guard !function.isAggregate, !function.needsWindow else { return [] }
        let (least, most) = (function.arguments.lowerBound, function.arguments.upperBound)
        return (least...min(most, least + 2)).map { count in
            function.name + "(" + Array(repeating: "a", count: count).joined(separator: ", ") + ")"
        }
    }

    @Test("of any function and number of arguments leave a file that any program can open")
    func reopened() throws {
        let fixture = try QueryFixture([("one", #"{"a":1.5}"#)])
        var made: [String] = []
        for (number, expression) in Self.expressions.enumerated() {
            let index = IndexSpec.value("i\(number)", on: .sqlPlusPlus(expression))
            guard (try? fixture.createIndex(index)) != nil else { continue }
            made.append(expression)
        }
        #expect(made.count > 150)
        #expect(made.contains("trunc(a, a)"))
        fixture.file.close()
        for access in [DataFileOptions.Access.readOnly, .readWrite, .create] {
            let file = try fixture.store.open(access)
            defer { file.close() }
            #expect(try file.read { try $0.indexes().count } == made.count)
            #expect(try file.verify().findings.map(\.message) == [])
        }
    }

    @Test("SQLite has no function with a name of ours and another number of arguments")
    func names() throws {
        let context = try SQLContext()
        var counts: [String: Set<Int>] = [:]
        for row in try context.selectAll(sql: "SELECT name, narg FROM pragma_function_list") {
            let name = try #require(row[0].textValue).lowercased()
            counts[name, default: []].insert(Int(try #require(row[1].longValue)))
        }
        let own = QueryFunction.all.filter { $0.kind == .scalar && $0.implementation == .store }
        let missing = own.flatMap { function -> [String] in
            guard let those = counts[function.sqlName.lowercased()], !those.contains(-1) else {
                return []
            }
            return function.sqlArgumentCounts.filter { !those.contains($0 ?? -1) }
                .map { "\(function.sqlName)/\($0.map(String.init) ?? "any")" }
        }
        #expect(missing.sorted() == SchemaFunctions.all.map { "\($0.name)/\($0.argumentCount)" })
    }
}
