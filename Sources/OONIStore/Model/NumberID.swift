/// A number that the store assigns once and never again, not even after its owner is deleted.
///
/// ``OONIStore/TestResult/ID`` and ``OONIStore/Network/ID`` conform to it: two types, so that the
/// number of a network is not mistaken for that of a result. IDs sort in the order in which they
/// were assigned, and print and encode as their number.
///
/// ```swift
/// let id = OONIStore.TestResult.ID(12)
/// let result = try probe.read { try probe.results.get(id, in: $0) }
/// ```
public protocol NumberID: Codable, Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The number, 1 or more.
    var number: Int64 { get }

    /// Creates the ID with a number; the number is not checked.
    init(_ number: Int64)
}

extension NumberID {
    /// Whether one was assigned earlier.
    public static func < (one: Self, other: Self) -> Bool { one.number < other.number }

    /// The number, in decimal digits.
    public var description: String { "\(number)" }

    /// Reads an integer: the number, which is not checked.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Writes an integer: the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
