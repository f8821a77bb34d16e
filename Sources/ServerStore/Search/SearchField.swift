/// The field of a server that a searched string comes from.
enum SearchField: Sendable {
    /// The code of the exit country.
    case code
    /// The name.
    case name
    /// A city, a state or a gateway.
    case place
    /// The name of a country, or the code of the entry country.
    case country

    /// The rank of a match.
    ///
    /// - Parameter isWhole: whether a word of the search matches the whole string.
    func rank(isWhole: Bool) -> ServerSearch.Rank {
        switch self {
        case .code: isWhole ? .countryCode : .country
        case .name: .name
        case .place: .place
        case .country: .country
        }
    }
}

/// A string of a server, possibly shared with others; compared byte by byte.
struct SearchValue: Hashable, Sendable {
    /// The source of the string.
    enum Kind: Sendable {
        case name
        case exit
        case entry
        case place
    }

    let kind: Kind
    let text: String

    /// The strings to search for it: a code adds the name of its country.
    func strings(_ names: CountryNames) -> [(field: SearchField, text: String)] {
        switch kind {
        case .name: [(.name, text)]
        case .place: [(.place, text)]
        case .exit: [(.code, text), (.country, names.name(of: text))]
        case .entry: [(.country, text), (.country, names.name(of: text))]
        }
    }

    // `String` treats some different strings as equal, and is slow, since it normalizes both.
    static func == (one: Self, other: Self) -> Bool {
        guard one.kind == other.kind else { return false }
        return one.withBytes { bytes in
            other.withBytes { $0.count == bytes.count && $0.elementsEqual(bytes) }
        }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        withBytes { hasher.combine(bytes: $0) }
    }

    @inline(__always)
    private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        text.utf8.withContiguousStorageIfAvailable { body(UnsafeRawBufferPointer($0)) }
            ?? Array(text.utf8).withUnsafeBytes(body)
    }
}

extension LogicalServer {
    /// Visits all strings that a search considers.
    @inline(__always)
    func forEachSearchValue(_ visit: (SearchValue) -> Void) {
        visit(SearchValue(kind: .name, text: name))
        visit(SearchValue(kind: .exit, text: exitCountryCode))
        switch kind {
        case .country: break
        case .secureCore(let entry): visit(SearchValue(kind: .entry, text: entry))
        case .gateway(let name): visit(SearchValue(kind: .place, text: name))
        }
        if let city { visit(SearchValue(kind: .place, text: city)) }
        if let translatedCity { visit(SearchValue(kind: .place, text: translatedCity)) }
        if let state { visit(SearchValue(kind: .place, text: state)) }
    }
}
