internal import DocumentStore

/// The collections of a store.
struct Collections: Sendable {
    /// What is known of servers for hours, with their endpoints.
    let logicals: Collection
    /// What changes of them from minute to minute.
    let loads: Collection
    /// What is known of the list besides its servers.
    let metadata: Collection
    /// What users have made of servers.
    let profiles: Collection
    /// The servers that were used last.
    let recents: Collection
    /// The version of the store.
    let info: Collection

    init() throws {
        func collection(_ name: String) throws -> Collection {
            Collection(try CollectionName("vpn." + name))
        }
        logicals = try collection("logicals")
        loads = try collection("loads")
        metadata = try collection("metadata")
        profiles = try collection("profiles")
        recents = try collection("recents")
        info = try collection("info")
    }
}
