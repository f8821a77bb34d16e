internal import DocumentStore

/// The collections of a store.
struct Collections: Sendable {
    let descriptors: Entities<OONIStore.TestDescriptor>
    let results: Entities<OONIStore.TestResult>
    let measurements: Entities<OONIStore.Measurement>
    let networks: Entities<OONIStore.Network>
    let urls: Entities<OONIStore.Url>
    let articles: Entities<OONIStore.Article>
    /// The version of the store, and the numbers that were given last.
    let info: DocumentCollection

    init() throws {
        descriptors = try Entities("descriptors")
        results = try Entities("results")
        measurements = try Entities("measurements")
        networks = try Entities("networks")
        urls = try Entities("urls")
        articles = try Entities("articles")
        info = try DocumentCollection(CollectionName("ooni.info"))
    }

    var identifiers: Identifiers { Identifiers(store: self) }

    /// Those that hold what can be read of a store.
    var ofValues: [DocumentCollection] {
        [
            descriptors.collection, results.collection, measurements.collection,
            networks.collection, urls.collection, articles.collection,
        ]
    }

    var all: [DocumentCollection] { ofValues + [info] }
}
