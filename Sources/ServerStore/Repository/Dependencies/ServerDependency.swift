/// A property wrapper for a dependency.
///
/// ```swift
/// struct ServerScreen {
///     @ServerDependency(\.serverRepository) var repository
///
///     func title() throws -> String { "\(try repository.roundedServerCount)+ servers" }
/// }
/// ```
/// Its value is the dependency at the creation of the enclosing value; a value set where the
/// property is read takes precedence. So a screen that a test creates within
/// ``withServerDependencies(_:operation:)`` keeps the values of the test, also in callbacks that
/// run later.
@propertyWrapper
public struct ServerDependency<Value: Sendable>: Sendable {
    private let initial = ServerDependencyValues.current
    private let path: any KeyPath<ServerDependencyValues, Value> & Sendable

    /// Creates a dependency.
    ///
    /// - Parameter path: the property of ``ServerDependencyValues``, such as `\.serverRepository`.
    public init(_ path: any KeyPath<ServerDependencyValues, Value> & Sendable) {
        self.path = path
    }

    /// The current value of the dependency; a default is computed for each access.
    public var wrappedValue: Value {
        initial.merging(ServerDependencyValues.current)[keyPath: path]
    }
}
