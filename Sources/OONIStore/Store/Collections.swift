internal import DocumentStore

/// The collections of a store, with the types of their documents.
struct Collections: Sendable {
    let schema: ProbeSchema

    init(_ schema: ProbeSchema) {
        self.schema = schema
    }

    var descriptors: Entities<OONIStore.TestDescriptor> { Entities(schema.descriptors) }
    var results: Entities<OONIStore.TestResult> { Entities(schema.results) }
    var measurements: Entities<OONIStore.Measurement> { Entities(schema.measurements) }
    var networks: Entities<OONIStore.Network> { Entities(schema.networks) }
    var urls: Entities<OONIStore.Url> { Entities(schema.urls) }
    var articles: Entities<OONIStore.Article> { Entities(schema.articles) }
    var info: DocumentCollection { schema.info }

    var identifiers: Identifiers { Identifiers(store: self) }
}
