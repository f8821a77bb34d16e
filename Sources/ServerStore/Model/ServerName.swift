internal import DocumentStore

/// The parts of a server's name, by which names are sorted: `DE#9` precedes `DE#10`.
///
/// A name consists of a prefix, `#` and a number, optionally followed by `-` and a suffix, which
/// does not count in the order. A name with two `#` or with something other than a number after it
/// has no number.
/// ```swift
/// let names = ["DE#10", "FR#13-TOR", "DE#9"]
/// print(names.sorted { ServerName($0) < ServerName($1) })  // DE#9, DE#10, FR#13-TOR
/// ```
/// ``VPNServerOrder/nameAscending`` and the results of searches use this order, with the ID of the
/// server after it.
public struct ServerName: Hashable, Comparable, Sendable {
    /// The part before the first `#`, such as `US-NY`; the whole name if there is none.
    public let prefix: String
    /// The number after the `#`, up to the next `-`; nil if there is none, or if it does not fit
    /// into an `Int`.
    public let sequence: Int?

    /// Parses a name such as `CH#30`, `SE-CA#15` or `FR#13-TOR`. Each string is a name, so it
    /// cannot fail.
    ///
    /// - Parameter name: the name of a server, ``LogicalServer/name``.
    public init(_ name: String) {
        let bytes = name.utf8
        guard let mark = bytes.firstIndex(of: UInt8(ascii: "#")) else {
            (prefix, sequence) = (name, nil)
            return
        }
        prefix = String(name[..<mark])
        let rest = bytes[bytes.index(after: mark)...].prefix { $0 != UInt8(ascii: "-") }
        let isOnly = !bytes[bytes.index(after: mark)...].contains(UInt8(ascii: "#"))
        sequence = isOnly ? Int(Substring(rest)) : nil
    }

    /// Whether prefixes are equal byte by byte, and the numbers as well. `FR#13` and `FR#13-TOR`
    /// are equal.
    public static func == (one: Self, other: Self) -> Bool {
        one.sequence == other.sequence && ServerOrdering.isSame(one.prefix, other.prefix)
    }

    /// Hashes the prefix and the number; equal names have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(sequence)
        hasher.combine(prefix)
    }

    /// Compares by prefix, byte by byte, then by number; a missing number is the lowest.
    public static func < (one: Self, other: Self) -> Bool {
        guard ServerOrdering.isSame(one.prefix, other.prefix) else {
            return ServerOrdering.isLess(one.prefix, other.prefix)
        }
        switch (one.sequence, other.sequence) {
        case (let one?, let other?): return one < other
        case (nil, .some): return true
        case (_, nil): return false
        }
    }
}

/// Compares strings byte by byte, as the database does.
enum ServerOrdering {
    static func isLess(_ one: String, _ other: String) -> Bool {
        one.utf8.lexicographicallyPrecedes(other.utf8)
    }

    static func isSame(_ one: String, _ other: String) -> Bool { one.isExactly(other) }
}

extension String {
    /// Whether the bytes are equal, as filters and orders compare strings.
    func isExactly(_ other: String) -> Bool { ExactString(self) == ExactString(other) }
}
