import SampleData

/// The locations of servers: 148 countries with 264 cities, of which some are real.
struct ServerLocations {
    struct City {
        let name: String
        let translation: String?
        let state: String?
        let latitude: Double
        let longitude: Double
    }

    struct Country {
        let code: String
        let cities: [City]
        /// The country of its machines, for countries without machines.
        let host: String?
    }

    let countries: [Country]
    /// The index in `countries` for each server of a fixed number.
    private let shares: [Int]

    init(_ random: inout SeededGenerator) {
        var countries: [Country] = []
        var shares: [Int] = []
        for (code, share, cityCount) in Self.real {
            shares += Array(repeating: countries.count, count: share)
            countries.append(
                Country(code: code, cities: Self.cities(code, cityCount, &random), host: nil))
        }
        for code in Self.virtual.split(separator: " ") {
            shares += Array(repeating: countries.count, count: 7)
            countries.append(
                Country(
                    code: String(code), cities: Self.cities(String(code), 1, &random),
                    host: random.pick(["DE", "MD", "RO", "SG", "US"])))
        }
        (self.countries, self.shares) = (countries, shares)
    }

    /// The country of a server: first each of them once, then by their shares.
    func country(of number: Int, _ random: inout SeededGenerator) -> Country {
        countries[number < countries.count ? number : random.pick(shares)]
    }
}

extension ServerLocations {
    /// Countries with machines: the code, the share of servers, the number of cities.
    private static let real: [(String, Int, Int)] = [
        ("US", 280, 40), ("DE", 70, 5), ("NL", 70, 3), ("CA", 60, 7), ("UK", 60, 6),
        ("CH", 60, 3), ("JP", 50, 3), ("FR", 50, 5), ("SE", 40, 4), ("AU", 35, 6), ("SG", 30, 1),
        ("ES", 25, 4), ("IT", 25, 4), ("PL", 25, 3), ("BE", 20, 2), ("NO", 20, 2), ("DK", 20, 2),
        ("RO", 20, 2), ("CZ", 20, 2), ("FI", 15, 2), ("AT", 15, 2), ("IE", 15, 2), ("PT", 15, 2),
        ("HK", 15, 1), ("BR", 15, 4), ("MX", 10, 3), ("ZA", 8, 2), ("IS", 8, 2), ("LU", 8, 2),
        ("BG", 8, 2), ("EE", 6, 2), ("LV", 6, 2), ("LT", 6, 2), ("HU", 8, 2), ("GR", 8, 2),
        ("UA", 8, 2), ("RS", 5, 2), ("HR", 5, 2), ("SK", 6, 2), ("SI", 4, 2), ("MD", 4, 2),
        ("TR", 8, 2), ("IL", 6, 2), ("AE", 8, 2), ("KR", 8, 2), ("TW", 8, 2), ("NZ", 8, 2),
        ("CL", 5, 2),
    ]
    /// Countries whose machines are elsewhere.
    private static let virtual = """
        AF AL AM AO AZ BA BD BF BH BI BJ BN BO BT BW BY BZ CD CG CI CM CO CR CU CV CY DJ DO DZ EC \
        EG ER ET FJ GA GE GH GN GQ GT HN HT ID IN IQ JM JO KE KG KH KM KW KZ LA LB LK LR LY MA ME \
        MG MK ML MM MN MR MT MU MW MY MZ NA NE NG NI NP OM PA PE PG PH PK PR PY QA RU RW SA SD SL \
        SN SO SS SV SY TD TG TH TJ TN
        """
    private static let knownCities = [
        "US": ["New York", "Los Angeles", "Chicago", "Dallas", "Miami", "Seattle", "Denver"],
        "DE": ["Frankfurt", "Berlin", "München"], "CA": ["Toronto", "Montréal", "Vancouver"],
        "UK": ["London", "Manchester"], "CH": ["Zürich", "Genève"], "JP": ["Tokyo", "Osaka"],
        "FR": ["Paris", "Marseille"], "SE": ["Stockholm", "Malmö", "Göteborg"],
        "ES": ["Madrid", "Málaga"], "PL": ["Warszawa", "Łódź"], "DK": ["København"],
        "BR": ["São Paulo"], "NL": ["Amsterdam"], "IT": ["Milano", "Roma"],
    ]
    private static let states = [
        "New York", "California", "Illinois", "Texas", "Florida", "Washington", "Colorado",
        "Georgia", "Arizona", "Oregon", "Utah", "Virginia",
    ]
    private static let syllables = [
        "ba", "dor", "el", "fin", "gra", "ha", "kel", "lo", "mar", "nis", "or", "pe", "ri", "sta",
        "tal", "ve", "zon",
    ]

    private static func cities(
        _ country: String, _ count: Int, _ random: inout SeededGenerator
    ) -> [City] {
        let known = knownCities[country] ?? []
        return (0..<count).map { number in
            let made = (0...1 + random.below(2)).map { _ in random.pick(syllables) }.joined()
            let name = number < known.count ? known[number] : made.capitalized
            return City(
                name: name, translation: random.below(10) == 0 ? "\(name) City" : nil,
                state: country == "US" ? states[number % states.count] : nil,
                latitude: Double(random.below(1_200_000)) / 10_000 - 60,
                longitude: Double(random.below(3_600_000)) / 10_000 - 180)
        }
    }
}
