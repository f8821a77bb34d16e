import Testing
@testable import QueryLanguage

@Suite("The table of functions")
struct QueryFunctionTests {
    @Test("has the SQL name of each")
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

    @Test("knows which make one value of many rows")
    func aggregates() {
        #expect(
            QueryFunction.all.filter(\.isAggregate).map(\.name) == [
                "array_agg", "avg", "count", "max", "min", "sum",
            ])
    }

    @Test("knows which look at the rows around")
    func windows() {
        let names = QueryFunction.all.filter(\.needsWindow).map(\.name)
        #expect(names.count == 11)
        #expect(names.contains("row_number") && names.contains("lag"))
    }

    @Test("has no name twice, and only aliases of what is there")
    func consistency() {
        let names = QueryFunction.all.map(\.name) + QueryFunction.aliases.keys
        #expect(Set(names).count == names.count)
        for (alias, name) in QueryFunction.aliases {
            #expect(QueryFunction(named: alias)?.name == name)
        }
        for name in names { #expect(name == name.lowercased() && !name.contains(" ")) }
    }
}
