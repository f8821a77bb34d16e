internal import Foundation
internal import Synchronization

/// All names of countries in a language, and the places of the countries in the order of names.
final class CountryTable: Sendable {
    /// What a table is made of.
    enum Source: Hashable, Sendable {
        /// The names that the system knows for an identifier of a locale.
        case locale(String)
        /// Given ones, and the identifier of the locale whose order they are in.
        case names([String: String], locale: String)
    }

    private let names: [String: String]
    private let places: [String: Int]

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
        places = Self.places(of: names, in: locale)
    }

    func name(of code: String) -> String { names[code] ?? code }

    func isLess(_ one: String, _ other: String) -> Bool {
        switch (places[one], places[other]) {
        case (let place?, let otherPosition?): place < otherPosition
        case (nil, nil): ServerOrdering.isLess(one, other)
        case (let place, nil): place != nil
        case (nil, _): false
        }
    }
}

extension CountryTable {
    /// The place of each code in the order of names; codes decide between names that the language
    /// takes for the same.
    ///
    /// Foundation compares some texts wrongly: of `Å` and `AB` with an accent on the second letter
    /// each comes after the other. So names are put in order once, and not compared each time.
    private static func places(of names: [String: String], in locale: Locale) -> [String: Int] {
        let byCode = names.sorted { ServerOrdering.isLess($0.key, $1.key) }
        let sorted = byCode.sorted { one, other in
            // With options, such as to ignore case, it does not keep to the language's order.
            switch one.value.compare(other.value, options: [], range: nil, locale: locale) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: ServerOrdering.isLess(one.key, other.key)
            }
        }
        return Dictionary(uniqueKeysWithValues: sorted.enumerated().map { ($1.key, $0) })
    }

    /// Regions of two letters: the others are continents and the like.
    private static func names(in locale: Locale) -> [String: String] {
        var names: [String: String] = [:]
        for region in Locale.Region.isoRegions {
            let code = region.identifier
            // `ZZ` has the name of a country that is not known.
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

/// A table that is made when it is first used.
final class CountryTableHolder: Sendable {
    private let table = AtomicLazyReference<CountryTable>()

    /// The table of a source, which must be the same each time. Of two threads that come first
    /// together both make one, and one of the two is kept.
    func value(of source: CountryTable.Source) -> CountryTable {
        table.load() ?? table.storeIfNil(CountryTable(source))
    }
}
