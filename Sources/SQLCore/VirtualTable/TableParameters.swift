/// The hidden columns of a table-valued function, which are its parameters: `f(1, 2)` is
/// `f WHERE p0 = 1 AND p1 = 2`.
struct TableParameters {
    /// The columns that are not parameters; they come first.
    let columns: [String]
    let parameters: [String]
    /// How many parameters must be given.
    let required: Int

    /// `CREATE TABLE x("a", "b", "p0" HIDDEN)`
    var declaration: String {
        func quoted(_ name: String) -> String {
            "\""
                + name.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"") + "\""
        }
        let all = columns.map { quoted($0) } + parameters.map { quoted($0) + " HIDDEN" }
        return "CREATE TABLE x(\(all.joined(separator: ", ")))"
    }

    /// Passes on the first parameters that are given; their values come to `filter` in their order.
    func plan(_ plan: SQLIndexPlan) throws {
        var given: [SQLIndexPlan.Constraint?] = Array(repeating: nil, count: parameters.count)
        for constraint in plan.constraints where constraint.comparison == .equal {
            let place = constraint.column - columns.count
            guard given.indices.contains(place), given[place] == nil else { continue }
            // The right side comes from a table that is read later: this order of tables is no way.
            guard constraint.isUsable else { throw noWay("its value is not known") }
            given[place] = constraint
        }
        let passed = given.prefix { $0 != nil }.compactMap(\.self)
        guard passed.count >= required, given.dropFirst(passed.count).allSatisfy({ $0 == nil })
        else { throw noWay("a parameter is missing") }
        for (position, constraint) in passed.enumerated() {
            plan.pass(constraint, at: position, isExact: true)
        }
        plan.number = passed.count
        // The more that is given, the better.
        plan.cost = 10 * Double(1 + parameters.count - passed.count)
        plan.rows = 100
    }

    private func noWay(_ why: String) -> SQLError {
        SQLError(code: .constraint, message: why)
    }
}
