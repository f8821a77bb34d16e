/// A type that specifies the paths of its properties in its documents.
///
/// Queries derive the paths from the encoded type: samples of it are decoded and encoded again, and
/// the path of a key path is where its value occurs. A type whose `init(from:)` rejects all sample
/// values can list its key paths:
///
/// ```swift
/// extension Invoice: QueryMapped {
///     static var queryPaths: [PartialKeyPath<Invoice>: String] {
///         [\.number: "number", \.customer: "parties.customer"]
///     }
/// }
/// ```
/// A listed path is used without samples, also for a property that its type encodes in another form
/// than the property's own type. A wrong path is not an error: the property is missing in all
/// documents.
///
/// If a single property has a type that rejects the samples, conform that type to ``QuerySampled``
/// instead. For one property in one query, ``property(_:as:)`` is shorter.
public protocol QueryMapped: Codable {
    /// The paths, in the syntax of `PropertyPath`, by the key paths of single properties: for
    /// `$0.customer.name` the path of `\.customer` is that of this type, and the path of `\.name`
    /// that of the customer's type. Key paths that are not listed are derived.
    static var queryPaths: [PartialKeyPath<Self>: String] { get }
}

/// A type that provides sample values, from which queries derive how it is encoded.
///
/// ```swift
/// extension Currency: QuerySampled {
///     static var querySamples: [Currency] { [.euro, .pound] }
/// }
/// ```
/// Most types do not need it: it is for types whose `init(from:)` accepts only certain values, such
/// as a checked identifier. Strings in the form of words, addresses, links, UUIDs, dates and
/// numbers are tried without it, and a `CaseIterable` enumeration or one without associated values
/// does not need it either.
///
/// The samples are only encoded, never stored. ``QueryMapped`` is the alternative for a document
/// type.
public protocol QuerySampled: Codable {
    /// At least two values with different encodings; if the type has properties, each property has
    /// a different value in each sample.
    static var querySamples: [Self] { get }
}
