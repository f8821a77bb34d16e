public import Foundation

/// The names of countries in a language, and their collation.
///
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

    /// Creates the names in a locale's language.
    public init(locale: Locale) {
        self.init(.locale(locale.identifier))
    }

    /// Creates a table of names by code; a country without a name is known by its code.
    ///
    /// - Parameter locale: the locale whose collation `isLess` uses.
    public init(_ names: [String: String], locale: Locale = Locale(identifier: "en")) {
        self.init(.names(names, locale: locale.identifier))
    }

    /// The names in the user's current language.
    public static var current: Self { latest.names(of: .current) }

    private static let latest = LatestCountryNames()

    /// The name of a country, by its code in upper case; an unknown code is its own name.
    ///
    /// `UK`, the API's code of the United Kingdom, is treated as `GB` unless it has a name.
    public func name(of code: String) -> String {
        table.value(of: source).name(of: code)
    }

    /// Whether a country precedes another: by name in the language's collation, then by code. Codes
    /// without a name come last, byte by byte.
    public func isLess(_ one: String, _ other: String) -> Bool {
        table.value(of: source).isLess(one, other)
    }

    /// Whether both give the same names in the same order.
    public static func == (one: Self, other: Self) -> Bool { one.source == other.source }

    /// Hashes the source of the names.
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
