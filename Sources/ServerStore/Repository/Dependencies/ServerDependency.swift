/// A property wrapper for a dependency.
///
/// ```swift
/// struct ServerScreen {
///     @ServerDependency(\.serverRepository) var repository
/// }
/// ```
/// Its value is the dependency at the creation of the enclosing value; a value set where the
/// property is read takes precedence.
@propertyWrapper
public struct ServerDependency<Value: Sendable>: Sendable {
    private let initial = ServerDependencyValues.current
    private let path: any KeyPath<ServerDependencyValues, Value> & Sendable

    /// Creates a dependency from a key path, such as `\.serverRepository`.
    public init(_ path: any KeyPath<ServerDependencyValues, Value> & Sendable) {
        self.path = path
    }

    /// The value of the dependency.
    public var wrappedValue: Value {
        initial.merging(ServerDependencyValues.current)[keyPath: path]
    }
}
