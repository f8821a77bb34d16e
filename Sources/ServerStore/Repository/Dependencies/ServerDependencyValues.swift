/// The dependencies of code, which tests can replace.
///
/// ```swift
/// withServerDependencies {
///     $0.serverRepository = .init(servers: [])
/// } operation: {
///     …
/// }
/// ```
/// Values are set for the operation and for tasks that it creates. Other dependencies have their
/// default: in a process with tests (`TestIssues.isTesting`) the test value, otherwise the live
/// value.
public struct ServerDependencyValues: Sendable {
    /// The current values.
    @TaskLocal public static var current = ServerDependencyValues()

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates values of which none is set.
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

    /// These values, overridden by those that are set in `others`.
    func merging(_ others: ServerDependencyValues) -> ServerDependencyValues {
        var merged = self
        merged.values.merge(others.values) { $1 }
        return merged
    }
}

/// The key of a dependency, and its default values.
public protocol ServerDependencyKey {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The default in a process without tests.
    static var liveValue: Value { get }
    /// The default in a process with tests.
    static var testValue: Value { get }
}

/// Runs an operation with changed dependencies; the others are unchanged.
public func withServerDependencies<R>(
    _ update: (inout ServerDependencyValues) throws -> Void, operation: () throws -> R
) rethrows -> R {
    var values = ServerDependencyValues.current
    try update(&values)
    return try ServerDependencyValues.$current.withValue(values, operation: operation)
}

// Disfavored, so that a synchronous operation selects the function above in tasks, too.
/// The asynchronous variant.
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
