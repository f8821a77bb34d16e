/// What a text of a server says of it.
enum SearchField: Sendable {
    /// The code of the country that traffic leaves from.
    case code
    /// The name.
    case name
    /// A city, a state or a gateway.
    case place
    /// The name of a country, or the code of that where traffic enters.
    case country

    /// How good a match is.
    ///
    /// - Parameter isWhole: whether a word of the search is the whole text.
    func rank(isWhole: Bool) -> ServerSearch.Rank {
        switch self {
        case .code: isWhole ? .countryCode : .country
        case .name: .name
        case .place: .place
        case .country: .country
        }
    }
}

extension Logical {
    /// City, city in the user's language, state and gateway, where there are any.
    var searchPlaces: [String] { [city, translatedCity, state, gatewayName].compactMap(\.self) }

    /// Where traffic enters, if that is not where it leaves.
    var searchEntry: String? {
        let entry = entryCountryCode
        return ServerOrdering.isSame(entry, exitCountryCode) ? nil : entry
    }

    /// All texts that a search looks at.
    func searchTexts(_ names: CountryNames) -> [(field: SearchField, text: String)] {
        var texts: [(field: SearchField, text: String)] = [
            (.name, name), (.code, exitCountryCode), (.country, names.name(of: exitCountryCode)),
        ]
        if let entry = searchEntry {
            texts += [(.country, entry), (.country, names.name(of: entry))]
        }
        return texts + searchPlaces.map { (.place, $0) }
    }
}
