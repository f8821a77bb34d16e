internal import StoreFormat

/// A database's name, which is that of its directory without the ending `.cblite2`.
///
/// 1 to 100 letters, digits, `-` and `_`, of ASCII; a letter or digit first. Paths that are opened
/// need not keep to it.
public struct DatabaseName: Hashable, Sendable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// The most characters that a name has.
    public static let maximumLength = 100

    /// Checks a name.
    ///
    /// Throws `.invalidParameter`.
    public init(_ name: String) throws {
        let bytes = name.utf8
        let isValid =
            (1...Self.maximumLength).contains(bytes.count)
            && bytes.first.map(Self.isLetterOrDigit) == true
            && bytes.allSatisfy {
                Self.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_")
            }
        guard isValid else {
            throw StoreError(
                .invalidParameter,
                "\"\(name)\" is no name for a database: 1 to \(Self.maximumLength) of the "
                    + "letters A to Z, digits, - and _, beginning with a letter or digit")
        }
        description = name
    }

    /// Where the database of this name is in a directory.
    public func path(in directory: String) -> String {
        let slash = directory.isEmpty || directory.hasSuffix("/") ? "" : "/"
        return directory + slash + description + BundlePath.suffix
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
