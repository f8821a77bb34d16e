/// An open (non-frozen) enumeration: values that this version does not know are retained unchanged.
public protocol OpenEnumeration: RawRepresentable, Codable, Hashable, Sendable,
    CustomStringConvertible
where RawValue == String {
    /// The values known to this version.
    static var known: [Self] { get }

    /// Creates a value from its string, known or not.
    init(rawValue: String)
}

extension OpenEnumeration {
    /// Whether this version knows the value.
    public var isKnown: Bool { Self.known.contains(self) }

    /// The string as stored.
    public var description: String { rawValue }
}
