/// The dependencies of code, which tests can replace.
///
/// ```swift
/// withServerDependencies {
///     $0.serverRepository = .init(servers: [])
/// } operation: {
///     …
/// }
/// ```
/// Values are set for the operation and for tasks that it creates, since ``current`` is a
/// task-local value; detached tasks and callbacks of Dispatch do not inherit them. Other
/// dependencies have their default: in a process with tests (``TestIssues/isTesting``) the test
/// value, otherwise the live value.
///
/// An application adds a dependency with a ``ServerDependencyKey`` and a property:
/// ```swift
/// extension ServerDependencyValues {
///     var refreshInterval: Duration {
///         get { self[RefreshIntervalKey.self] }
///         set { self[RefreshIntervalKey.self] = newValue }
///     }
/// }
///
/// enum RefreshIntervalKey: ServerDependencyKey {
///     static var liveValue: Duration { ServerRefresh.listInterval }
///     static var testValue: Duration { .zero }
/// }
/// ```
/// It needs no package. With the package swift-dependencies both can be imported side by side.
public struct ServerDependencyValues: Sendable {
    /// The values of the current task; ``withServerDependencies(_:operation:)`` changes them for an
    /// operation.
    @TaskLocal public static var current = ServerDependencyValues()

    private var values: [ObjectIdentifier: any Sendable] = [:]

    /// Creates values of which none is set, so that each dependency has its default.
    public init() {}

    /// The value of a key: the one that is set, otherwise the default of the key.
    ///
    /// A default is computed for each access, with these values as the current ones, so it can use
    /// other dependencies. A dependency that must be shared is a stored `static let` of the key.
    ///
    /// - Parameter key: the type of the key.
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
///
/// A key is a type without instances; ``ServerDependencyValues`` has an example.
public protocol ServerDependencyKey {
    /// The type of the value.
    associatedtype Value: Sendable
    /// The default in a process without tests.
    static var liveValue: Value { get }
    /// The default in a process with tests.
    static var testValue: Value { get }
}

/// Runs an operation with changed dependencies; the others are unchanged.
///
/// Changes start from the current values, so inner changes take precedence over outer ones, and end
/// with the operation.
/// ```swift
/// let count = try withServerDependencies {
///     $0.serverRepository.serverCount = { 7 }
/// } operation: {
///     try ServerDependencyValues.current.serverRepository.serverCount()
/// }
/// ```
///
/// - Parameters:
///   - update: changes the values.
///   - operation: runs with the changed values.
/// - Returns: the result of the operation.
/// - Throws: errors of both closures.
public func withServerDependencies<R>(
    _ update: (inout ServerDependencyValues) throws -> Void, operation: () throws -> R
) rethrows -> R {
    var values = ServerDependencyValues.current
    try update(&values)
    return try ServerDependencyValues.$current.withValue(values, operation: operation)
}

// Disfavored, so that a synchronous operation selects the function above in tasks, too.
/// Runs an asynchronous operation with changed dependencies.
///
/// The operation runs on the actor of the caller, and the tasks that it creates inherit the values.
/// ```swift
/// let count = try await withServerDependencies {
///     $0.serverRepository.serverCount = { 7 }
/// } operation: {
///     try await ServerDependencyValues.current.serverRepository.async.serverCount()
/// }
/// ```
///
/// - Parameters:
///   - isolation: the actor on which the operation runs; that of the caller by default.
///   - update: changes the values.
///   - operation: runs with the changed values.
/// - Returns: the result of the operation.
/// - Throws: errors of both closures.
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
