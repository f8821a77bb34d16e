import SampleData

/// Passes of one query with many arguments over a database.
package final class CustomerPass {
    /// The arguments and their results, the same for all databases.
    package struct Plan: Sendable {
        fileprivate let query: CustomerQuery
        fileprivate let requests: [(arguments: [CustomerArgument], sum: CustomerSum)]

        /// Draws arguments, and computes the results from the values in memory.
        package init(
            _ query: CustomerQuery, _ data: CustomerData, _ model: CustomerModel, count: Int
        ) {
            self.query = query
            var random = SeededGenerator(seed: 7)
            requests = (0..<count).map { _ in
                let arguments = query.arguments(data, &random)
                return (arguments, model.sum(query, arguments))
            }
        }
    }

    private let plan: Plan
    private let database: any CustomerDatabase
    private let latencies: LatencyCollector?
    private var nanoseconds: [UInt64] = []

    /// Creates passes over an open database.
    package init(
        _ plan: Plan, on database: any CustomerDatabase, latencies: LatencyCollector? = nil
    ) {
        self.plan = plan
        self.database = database
        self.latencies = latencies
    }

    /// The number of executions of a pass.
    package var operations: Int { plan.requests.count }

    /// Runs the query with each of the arguments; returns the number of rows. Throws if a result
    /// is not the expected one.
    package func run() throws -> Int {
        nanoseconds = []
        nanoseconds.reserveCapacity(operations)
        var rows = 0
        var start = MonotonicClock.nanoseconds()
        for (arguments, expected) in plan.requests {
            let sum = try database.sum(plan.query, arguments)
            let end = MonotonicClock.nanoseconds()
            nanoseconds.append(end - start)
            guard sum == expected else {
                throw StandardError("\(plan.query.rawValue) \(arguments): \(sum), not \(expected)")
            }
            rows += sum.rows
            start = MonotonicClock.nanoseconds()
        }
        return rows
    }

    /// Collects the times.
    package func finish() {
        guard let latencies else { return }
        for time in nanoseconds { latencies.add("query", nanoseconds: time) }
    }
}
