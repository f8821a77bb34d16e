/// Something that code depends on.
///
/// ```swift
/// struct ServerScreen {
///     @ServerDependency(\.serverRepository) var repository
/// }
/// ```
/// It is what was set where the value with this property was made; what is set where it is used
/// goes before that.
@propertyWrapper
public struct ServerDependency<Value: Sendable>: Sendable {
    private let initial = ServerDependencyValues.current
    private let path: any KeyPath<ServerDependencyValues, Value> & Sendable

    /// What is at a path, such as `\.serverRepository`.
    public init(_ path: any KeyPath<ServerDependencyValues, Value> & Sendable) {
        self.path = path
    }

    /// The value.
    public var wrappedValue: Value {
        initial.merging(ServerDependencyValues.current)[keyPath: path]
    }
}
