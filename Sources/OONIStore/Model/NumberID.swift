/// A number that the store gives to one thing, and never to another.
public protocol NumberID: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, 1 or more.
    var number: Int64 { get }

    /// The id of a number.
    init(_ number: Int64)
}

extension NumberID {
    /// Whether one was given earlier.
    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }

    /// The number.
    public var description: String { "\(number)" }

    /// Reads an integer.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes an integer.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
