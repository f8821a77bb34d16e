/// What a pass has found, beside what was counted otherwise.
enum Recount {
    /// What was found; throws where it is not what is expected.
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
