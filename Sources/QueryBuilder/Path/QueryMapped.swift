/// A type that says itself which of its properties is where in its documents.
///
/// Queries find that out from what a type writes. A type whose `init(from:)` refuses every sample
/// value can list its key paths:
/// ```swift
/// extension Invoice: QueryMapped {
///     static var queryPaths: [PartialKeyPath<Invoice>: String] {
///         [\.number: "number", \.customer.name: "customer.name"]
///     }
/// }
/// ```
public protocol QueryMapped: Codable {
    /// The paths, in the syntax of `PropertyPath`, by the key paths of single properties. What is
    /// not listed is found out.
    static var queryPaths: [PartialKeyPath<Self>: String] { get }
}

/// A type that gives samples of itself, by which queries find out how it is written.
///
/// ```swift
/// extension Currency: QuerySampled {
///     static var querySamples: [Currency] { [.euro, .pound] }
/// }
/// ```
/// Most types need not: it is for those whose `init(from:)` takes only certain values. An
/// enumeration that is `CaseIterable` needs it neither.
public protocol QuerySampled: Codable {
    /// Two values or more that are written differently; of a type with properties, each property
    /// has another value in each.
    static var querySamples: [Self] { get }
}
