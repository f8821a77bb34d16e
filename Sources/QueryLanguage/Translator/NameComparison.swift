internal import FleeceLite

/// How a name in a query is compared with those that it can mean, in the order of their rank: as in
/// LiteCore, `P.age` is of the source `p` unless there is a `P`.
package enum NameComparison: CaseIterable {
    case exact
    /// Letters of ASCII are equal in upper and lower case.
    case ignoringCase

    package func areEqual(_ one: String, _ other: String) -> Bool {
        switch self {
        case .exact: one.hasSameBytes(as: other)
        case .ignoringCase:
            one.utf8.count == other.utf8.count
                && String(asciiLowercase: one.utf8)
                    .hasSameBytes(as: String(asciiLowercase: other.utf8))
        }
    }
}
