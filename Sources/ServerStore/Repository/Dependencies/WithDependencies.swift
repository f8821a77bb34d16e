/// Runs something with other dependencies; those that are not changed stay.
public func withDependencies<R>(
    _ update: (inout DependencyValues) throws -> Void, operation: () throws -> R
) rethrows -> R {
    var values = DependencyValues.current
    try update(&values)
    return try DependencyValues.$current.withValue(values, operation: operation)
}

// Disfavored, so that an operation that does not wait takes the form above in tasks, too.
/// The same from a task.
@_disfavoredOverload
public func withDependencies<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ update: (inout DependencyValues) throws -> Void, operation: () async throws -> R
) async rethrows -> R {
    var values = DependencyValues.current
    try update(&values)
    return try await DependencyValues.$current.withValue(
        values, operation: operation, isolation: isolation)
}
