internal import Foundation
internal import Synchronization

/// The names of all countries in a language, and their ranks in its collation.
final class CountryTable: Sendable {
    /// The source of a table.
    enum Source: Hashable, Sendable {
        /// The system's names for a locale identifier.
        case locale(String)
        /// Explicit names, and the identifier of the locale whose collation is used.
        case names([String: String], locale: String)
    }

    private let names: [String: String]
    private let ranks: [String: Int]

    init(_ source: Source) {
        let locale: Locale
        switch source {
        case .locale(let identifier):
            locale = Locale(identifier: identifier)
            names = Self.names(in: locale)
        case .names(let given, let identifier):
            locale = Locale(identifier: identifier)
            names = Self.withAliases(given)
        }
        ranks = Self.ranks(of: names, in: locale)
    }

    func name(of code: String) -> String { names[code] ?? code }

    func isLess(_ one: String, _ other: String) -> Bool {
        switch (ranks[one], ranks[other]) {
        case (let rank?, let otherRank?): rank < otherRank
        case (nil, nil): ServerOrdering.isLess(one, other)
        case (let rank, nil): rank != nil
        case (nil, _): false
        }
    }
}

extension CountryTable {
    /// The rank of each code in the order of names; codes decide between names that the collation
    /// treats as equal.
    ///
    /// Foundation compares some strings inconsistently: of `Å` and `AB` with an accent on the
    /// second letter, each comes after the other. So names are sorted once, and not compared each
    /// time.
    private static func ranks(of names: [String: String], in locale: Locale) -> [String: Int] {
        let byCode = names.sorted { ServerOrdering.isLess($0.key, $1.key) }
        let sorted = byCode.sorted { one, other in
            // With options, such as case insensitivity, it does not use the language's collation.
            switch one.value.compare(other.value, options: [], range: nil, locale: locale) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: ServerOrdering.isLess(one.key, other.key)
            }
        }
        return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.key, $0) })
    }

    /// Regions with codes of two letters: the others are continents and similar regions.
    private static func names(in locale: Locale) -> [String: String] {
        var names: [String: String] = [:]
        for region in Locale.Region.isoRegions {
            let code = region.identifier
            // `ZZ` is named like an unknown country.
            guard code.utf8.count == 2, code != "ZZ" else { continue }
            names[code] = locale.localizedString(forRegionCode: code)
        }
        return withAliases(names)
    }

    private static func withAliases(_ names: [String: String]) -> [String: String] {
        guard names["UK"] == nil, let name = names["GB"] else { return names }
        return names.merging(["UK": name]) { given, _ in given }
    }
}

/// A table that is created on first use.
final class CountryTableHolder: Sendable {
    private let table = AtomicLazyReference<CountryTable>()

    /// The table of a source, which must be the same each time. If two threads create it at the
    /// same time, one of the two is used.
    func value(of source: CountryTable.Source) -> CountryTable {
        table.load() ?? table.storeIfNil(CountryTable(source))
    }
}
