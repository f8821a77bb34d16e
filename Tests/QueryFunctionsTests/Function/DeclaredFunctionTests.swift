import FleeceLite
import SQLCore
import StoreFormat
import Testing
@testable import QueryFunctions

@Suite("Declarations of functions")
struct DeclaredFunctionTests {
    private static let own = QueryFunction.all.filter { $0.implementation == .store }

    @Test("the store implements exactly the functions that it declares as its own")
    func bodies() {
        let declared = Self.own.filter { $0.kind == .scalar }.map(\.name).sorted()
        #expect(QueryFunctions.bodies.map(\.name).sorted() == declared)
        #expect(Self.own.filter { $0.kind != .scalar }.map(\.name) == ["array_agg"])
    }

    @Test("SQLite has each under its SQL name and for its numbers of arguments")
    func registered() throws {
        let context = try SQLContext()
        try SQLFunctions.register(in: context, sharedKeys: SharedKeys())
        for function in QueryFunction.all where function.implementation != .translator {
            for count in function.sqlArgumentCounts {
                let rows = try context.selectAll(
                    sql: "SELECT flags & 0x800 FROM pragma_function_list WHERE name = lower(?) "
                        + "AND (narg = ? OR narg = -1)",
                    parameters: [.text(function.sqlName), .long(Int64(count ?? -1))])
                #expect(!rows.isEmpty, "\(function.name) of \(count.map(String.init) ?? "any")")
                guard function.implementation == .store, function.kind == .scalar else { continue }
                let isDeterministic = rows.first?.first?.longValue != 0
                #expect(isDeterministic != function.isVolatile, "\(function.name)")
            }
        }
    }
}
