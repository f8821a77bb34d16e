/// Compares the result of a pass with an independent count.
enum Recount {
    /// Returns the result; throws if it is not the expected one.
    @discardableResult
    static func require<Value: Equatable>(
        _ found: Value, _ expected: Value, _ name: String
    ) throws -> Value {
        guard found == expected else {
            throw BenchmarkError(message: "\(name): \(found), not \(expected)")
        }
        return found
    }
}
