internal import StoreFormat

/// The name of a database: that of its directory without the extension `.cblite2`.
///
/// It has 1 to 100 ASCII letters, digits, `-` and `_`, and starts with a letter or digit, so that
/// it cannot lead to another directory. Use it for names that come from a user or a server:
///
/// ```swift
/// let name = try DatabaseName("people")
/// let file = try DataFile(path: name.path(in: "/var/lib/app"))
/// ```
///
/// Databases that are opened by path need not follow this rule.
public struct DatabaseName: Hashable, Sendable, CustomStringConvertible {
    /// The name, without the extension.
    public let description: String

    /// The maximum length of a name in bytes: 100.
    public static let maximumLength = 100

    /// Validates a name.
    ///
    /// - Parameter name: the name, without directory and extension.
    /// - Throws: ``StoreError/Code/invalidParameter`` if it is empty or too long, or has other
    ///   characters than ASCII letters, digits, `-` and `_`, or starts with `-` or `_`.
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
                "\"\(name)\" is not a database name: use 1 to \(Self.maximumLength) of the "
                    + "letters A to Z, digits, - and _, starting with a letter or digit")
        }
        description = name
    }

    /// The path of the database of this name in a directory: the name followed by `.cblite2`.
    ///
    /// - Parameter directory: the parent directory; empty for the current one.
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
