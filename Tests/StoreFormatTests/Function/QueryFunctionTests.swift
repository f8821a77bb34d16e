import Testing
import StoreFormat

@Suite("The table of functions")
struct QueryFunctionTests {
    @Test("has the SQL name of each function")
    func names() {
        #expect(QueryFunction(named: "Length")?.sqlName == "N1QL_length")
        #expect(QueryFunction(named: "greatest")?.sqlName == "max")
        #expect(QueryFunction(named: "least")?.sqlName == "min")
        #expect(QueryFunction(named: "ifmissing")?.sqlName == "coalesce")
        #expect(QueryFunction(named: "ifnull")?.sqlName == "N1QL_ifnull")
        #expect(QueryFunction(named: "array_count")?.sqlName == "array_count")
        #expect(QueryFunction(named: "TypeName")?.name == "type")
        #expect(QueryFunction(named: "fl_value") == nil)
        #expect(QueryFunction(named: "") == nil)
    }

    @Test("identifies aggregate functions")
    func aggregates() {
        #expect(
            QueryFunction.all.filter(\.isAggregate).map(\.name) == [
                "array_agg", "avg", "count", "max", "min", "sum",
            ])
    }

    @Test("identifies window functions")
    func windows() {
        let names = QueryFunction.all.filter(\.needsWindow).map(\.name)
        #expect(names.count == 11)
        #expect(names.contains("row_number") && names.contains("lag"))
    }

    @Test("has no duplicate names, and only aliases of existing functions")
    func consistency() {
        let names = QueryFunction.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(QueryFunction.names == names.sorted())
        for function in QueryFunction.all {
            for alias in function.aliases { #expect(QueryFunction(named: alias) == function) }
        }
        for name in names { #expect(name == name.lowercased() && !name.contains(" ")) }
    }
}
