internal import DocumentStore

/// The collections of a store.
struct Collections: Sendable {
    /// What is known of servers for hours, with their endpoints.
    let logicals: DocumentCollection
    /// What changes of them from minute to minute.
    let loads: DocumentCollection
    /// What is known of the list besides its servers.
    let metadata: DocumentCollection
    /// What users have made of servers.
    let profiles: DocumentCollection
    /// The servers that were used last.
    let recents: DocumentCollection
    /// The version of the store.
    let info: DocumentCollection

    init() throws {
        func collection(_ name: String) throws -> DocumentCollection {
            DocumentCollection(try CollectionName("vpn." + name))
        }
        logicals = try collection("logicals")
        loads = try collection("loads")
        metadata = try collection("metadata")
        profiles = try collection("profiles")
        recents = try collection("recents")
        info = try collection("info")
    }
}
