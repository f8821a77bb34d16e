/// Something that code depends on.
///
/// ```swift
/// struct ServerScreen {
///     @Dependency(\.serverRepository) var repository
/// }
/// ```
/// It is what was set where the value with this property was made; what is set where it is used
/// goes before that.
@propertyWrapper
public struct Dependency<Value: Sendable>: Sendable {
    private let initial = DependencyValues.current
    private let path: any KeyPath<DependencyValues, Value> & Sendable

    /// What is at a path, such as `\.serverRepository`.
    public init(_ path: any KeyPath<DependencyValues, Value> & Sendable) {
        self.path = path
    }

    /// The value.
    public var wrappedValue: Value {
        initial.merging(DependencyValues.current)[keyPath: path]
    }
}
