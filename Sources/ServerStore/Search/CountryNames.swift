public import Foundation

/// The names of countries in a language, and their collation.
///
/// Searches find servers by these names, and groups are sorted by them. A store has the names of
/// the language in which it was opened; ``ServerStore/with(names:)`` changes them.
/// ```swift
/// let german = CountryNames(locale: Locale(identifier: "de"))
/// print(german.name(of: "CH"))  // Schweiz
/// print(["SE", "AT", "CH"].sorted(by: german.isLess))  // AT, SE, CH
/// let store = serverStore.with(names: german)
/// ```
/// A value is cheap to create and to copy: the names are looked up on first use, once for all
/// copies. Two values are equal if they give the same names, so that an index of them is rebuilt
/// only if the language has changed.
public struct CountryNames: Hashable, Sendable {
    private let source: CountryTable.Source
    private let table: CountryTableHolder

    private init(_ source: CountryTable.Source) {
        self.source = source
        table = CountryTableHolder()
    }

    /// Creates the names that the system has in a locale's language, for all countries with a code
    /// of two letters.
    ///
    /// - Parameter locale: the language of the names, and the collation by which they are sorted.
    public init(locale: Locale) {
        self.init(.locale(locale.identifier))
    }

    /// Creates a table of names by code; a country without a name is known by its code.
    ///
    /// It gives tests the same names on each system, and replaces names that the system has.
    /// ```swift
    /// let names = CountryNames(["CH": "Switzerland", "GB": "United Kingdom"])
    /// print(names.name(of: "UK"), names.name(of: "SE"))  // United Kingdom SE
    /// ```
    ///
    /// - Parameters:
    ///   - names: the names by code, in upper case.
    ///   - locale: the locale whose collation ``isLess(_:_:)`` uses; English by default.
    public init(_ names: [String: String], locale: Locale = Locale(identifier: "en")) {
        self.init(.names(names, locale: locale.identifier))
    }

    /// The names in the user's current language. Calls share one table as long as the locale stays
    /// the same; a value does not follow a later change of the language.
    public static var current: Self { latest.names(of: .current) }

    private static let latest = LatestCountryNames()

    /// Returns the name of a country; an unknown code is its own name.
    ///
    /// `UK`, the API's code of the United Kingdom, is treated as `GB` unless it has a name of its
    /// own.
    ///
    /// - Parameter code: the code in two upper-case letters.
    /// - Returns: the name in the language of this value.
    public func name(of code: String) -> String {
        table.value(of: source).name(of: code)
    }

    /// Whether a country precedes another: by name in the language's collation, then by code.
    ///
    /// Codes without a name come last, byte by byte. It is a total order, which the comparison of
    /// Foundation is not for all strings, and compares ranks that are computed once.
    ///
    /// - Parameters:
    ///   - one: the code of a country.
    ///   - other: the code of another country.
    public func isLess(_ one: String, _ other: String) -> Bool {
        table.value(of: source).isLess(one, other)
    }

    /// Whether both give the same names in the same order: both of one locale, or of equal tables
    /// and one locale.
    public static func == (one: Self, other: Self) -> Bool { one.source == other.source }

    /// Hashes the locale or the table; equal values have equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The last used names, so that the stores of one process share a table.
private final class LatestCountryNames: @unchecked Sendable {
    // Unchecked: `latest` is used under the lock only.
    private let lock = NSLock()
    private var latest: CountryNames?

    func names(of locale: Locale) -> CountryNames {
        lock.withLock {
            let names = CountryNames(locale: locale)
            if let latest, latest == names { return latest }
            latest = names
            return names
        }
    }
}
