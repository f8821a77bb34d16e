/// A word of a vocabulary that grows: words that this version does not know are kept as they are.
public protocol OpenEnumeration: RawRepresentable, Codable, Hashable, Sendable, CustomStringConvertible
where RawValue == String {
    /// The words that are known.
    static var known: [Self] { get }

    /// A word, known or not.
    init(rawValue: String)
}

extension OpenEnumeration {
    /// Whether this version knows the word.
    public var isKnown: Bool { Self.known.contains(self) }

    /// The word as it is written.
    public var description: String { rawValue }
}
