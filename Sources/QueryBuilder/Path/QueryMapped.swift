/// A type that specifies the paths of its properties in its documents.
///
/// Queries derive the paths from the encoded type. A type whose `init(from:)` rejects all sample
/// values can list its key paths:
/// ```swift
/// extension Invoice: QueryMapped {
///     static var queryPaths: [PartialKeyPath<Invoice>: String] {
///         [\.number: "number", \.customer.name: "customer.name"]
///     }
/// }
/// ```
public protocol QueryMapped: Codable {
    /// The paths, in the syntax of `PropertyPath`, by the key paths of single properties. Key paths
    /// that are not listed are derived.
    static var queryPaths: [PartialKeyPath<Self>: String] { get }
}

/// A type that provides sample values, from which queries derive how it is encoded.
///
/// ```swift
/// extension Currency: QuerySampled {
///     static var querySamples: [Currency] { [.euro, .pound] }
/// }
/// ```
/// Most types do not need it: it is for types whose `init(from:)` accepts only certain values. A
/// `CaseIterable` enumeration does not need it either.
public protocol QuerySampled: Codable {
    /// At least two values with different encodings; if the type has properties, each property has
    /// a different value in each sample.
    static var querySamples: [Self] { get }
}
