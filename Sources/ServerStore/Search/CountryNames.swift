public import Foundation

/// The names of countries in a language, and their order in it.
///
/// A value is cheap to make and to copy: the names are looked up when the first one is asked for,
/// once for all copies. Two values are equal if they give the same names, so that an index of them
/// is rebuilt only if the language has changed.
public struct CountryNames: Hashable, Sendable {
    private let source: CountryTable.Source
    private let table: CountryTableHolder

    private init(_ source: CountryTable.Source) {
        self.source = source
        table = CountryTableHolder()
    }

    /// The names of a locale's language.
    public init(locale: Locale) {
        self.init(.locale(locale.identifier))
    }

    /// Given names by code; a country that is not among them goes by its code.
    ///
    /// - Parameter locale: whose order of letters `isLess` keeps to.
    public init(_ names: [String: String], locale: Locale = Locale(identifier: "en")) {
        self.init(.names(names, locale: locale.identifier))
    }

    /// The names in the user's language as it is now.
    public static var current: Self { latest.names(of: .current) }

    private static let latest = LatestCountryNames()

    /// The name of a country, by its code in capital letters; an unknown code is its own name.
    ///
    /// `UK`, as the API calls the United Kingdom, is `GB` where it is not given a name itself.
    public func name(of code: String) -> String {
        table.value(of: source).name(of: code)
    }

    /// Whether a country stands before another: by their names, as the language orders letters,
    /// then by their codes. Codes without a name come last, byte by byte.
    public func isLess(_ one: String, _ other: String) -> Bool {
        table.value(of: source).isLess(one, other)
    }

    /// Whether both give the same names in the same order.
    public static func == (one: Self, other: Self) -> Bool { one.source == other.source }

    /// Hashes what the names are of.
    public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The names that were asked for last, so that stores of one process share a table.
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
