/// What code depends on, and tests replace.
///
/// ```swift
/// withServerDependencies {
///     $0.serverRepository = .init(servers: [])
/// } operation: {
///     …
/// }
/// ```
/// What is set holds for the operation and the tasks that it makes. What is not set has a value of
/// its own: in a process with tests (`TestIssues.isTesting`) the one for tests.
public struct ServerDependencyValues: Sendable {
    /// What holds here.
    @TaskLocal public static var current = ServerDependencyValues()

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Values of which none is set.
    public init() {}

    /// The value of a key.
    public subscript<Key: ServerDependencyKey>(key: Key.Type) -> Key.Value {
        get {
            if let value = values[ObjectIdentifier(key)] as? Key.Value { return value }
            return Self.$current.withValue(self) {
                TestIssues.isTesting ? Key.testValue : Key.liveValue
            }
        }
        set { values[ObjectIdentifier(key)] = newValue }
    }

    /// These, but those that are set in `others`.
    func merging(_ others: ServerDependencyValues) -> ServerDependencyValues {
        var merged = self
        merged.values.merge(others.values) { $1 }
        return merged
    }
}

/// A name for something that code depends on, and the values that it has where none is set.
public protocol ServerDependencyKey {
    /// What the values are.
    associatedtype Value: Sendable
    /// The value in a process without tests.
    static var liveValue: Value { get }
    /// The value in one with tests.
    static var testValue: Value { get }
}

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
