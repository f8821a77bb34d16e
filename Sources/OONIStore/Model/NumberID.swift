/// A number that the store assigns once and never again.
public protocol NumberID: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, 1 or more.
    var number: Int64 { get }

    /// Creates the id with a number.
    init(_ number: Int64)
}

extension NumberID {
    /// Whether one was assigned earlier.
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
