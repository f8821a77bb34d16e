internal import DocumentStore

/// The collections of a store.
struct Collections: Sendable {
    let descriptors: Entities<OONIStore.TestDescriptor>
    let results: Entities<OONIStore.Result>
    let measurements: Entities<OONIStore.Measurement>
    let networks: Entities<OONIStore.Network>
    let urls: Entities<OONIStore.Url>
    let articles: Entities<OONIStore.Article>
    /// The version of the store, and the numbers that were given last.
    let info: Collection

    init() throws {
        descriptors = try Entities("descriptors")
        results = try Entities("results")
        measurements = try Entities("measurements")
        networks = try Entities("networks")
        urls = try Entities("urls")
        articles = try Entities("articles")
        info = try Collection(CollectionName("ooni.info"))
    }

    var identifiers: Identifiers { Identifiers(store: self) }

    /// Those that hold what can be read of a store.
    var ofValues: [Collection] {
        [
            descriptors.collection, results.collection, measurements.collection,
            networks.collection, urls.collection, articles.collection,
        ]
    }

    var all: [Collection] { ofValues + [info] }
}
