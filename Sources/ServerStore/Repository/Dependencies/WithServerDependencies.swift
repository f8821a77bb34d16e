/// Runs something with other dependencies; those that are not changed stay.
public func withServerDependencies<R>(
    _ update: (inout ServerDependencyValues) throws -> Void, operation: () throws -> R
) rethrows -> R {
    var values = ServerDependencyValues.current
    try update(&values)
    return try ServerDependencyValues.$current.withValue(values, operation: operation)
}

// Disfavored, so that an operation that does not wait takes the form above in tasks, too.
/// The same from a task.
@_disfavoredOverload
public func withServerDependencies<R>(
    isolation: isolated (any Actor)? = #isolation,
    _ update: (inout ServerDependencyValues) throws -> Void, operation: () async throws -> R
) async rethrows -> R {
    var values = ServerDependencyValues.current
    try update(&values)
    return try await ServerDependencyValues.$current.withValue(
        values, operation: operation, isolation: isolation)
}
