internal import DocumentStore

/// The first line of an export.
struct LinesHeader: Codable, Equatable {
    /// What the lines are.
    var format = LinesHeader.format
    /// The version of the lines, which is that of the store.
    var version = Migration.version
    /// The numbers that were given last, by what they were given to.
    var numbers: [String: Int64]
    /// How many lines there are of each collection.
    var documents: [String: Int]

    static let format = "OONIStore"
}

/// The collections in the order of the lines: what is referred to stands before what refers to it.
enum LinesCollection: String, CaseIterable {
    case descriptors, networks, urls, results, measurements, articles

    func collection(of store: Collections) -> DocumentCollection {
        switch self {
        case .descriptors: store.descriptors.collection
        case .networks: store.networks.collection
        case .urls: store.urls.collection
        case .results: store.results.collection
        case .measurements: store.measurements.collection
        case .articles: store.articles.collection
        }
    }
}
