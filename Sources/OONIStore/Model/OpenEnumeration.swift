/// An open (non-frozen) enumeration: values that this version does not know are retained unchanged.
///
/// OONI adds tests and kinds of networks over time. A string of a newer app, server or file is
/// stored, exported and returned unchanged, instead of failing or becoming a default. Compare with
/// the static values, and give a `switch` a `default`:
///
/// ```swift
/// let origin = OONIStore.TaskOrigin(rawValue: "scheduled")
/// switch origin {
/// case .ooniRun: show("started by the user")
/// case .autorun: show("started by the app")
/// default: show(origin.rawValue, origin.isKnown)
/// }
/// ```
///
/// In JSON and in documents a value is its string.
public protocol OpenEnumeration: RawRepresentable, Codable, Hashable, Sendable,
    CustomStringConvertible
where RawValue == String {
    /// The values known to this version, for a list to choose from.
    static var known: [Self] { get }

    /// Creates a value from its string, known or not.
    init(rawValue: String)
}

extension OpenEnumeration {
    /// Whether this version knows the value; an app can show unknown ones by their string.
    public var isKnown: Bool { Self.known.contains(self) }

    /// The string as stored.
    public var description: String { rawValue }
}
