internal import DocumentStore

/// The collections of a store, and the indexes of each.
struct ProbeSchema: Sendable {
    let descriptors: DocumentCollection
    let results: DocumentCollection
    let measurements: DocumentCollection
    let networks: DocumentCollection
    let urls: DocumentCollection
    let articles: DocumentCollection
    /// The version of the store, and the last assigned numbers.
    let info: DocumentCollection

    init() throws {
        func collection(_ name: String) throws -> DocumentCollection {
            DocumentCollection(try CollectionName("ooni." + name))
        }
        descriptors = try collection("descriptors")
        results = try collection("results")
        measurements = try collection("measurements")
        networks = try collection("networks")
        urls = try collection("urls")
        articles = try collection("articles")
        info = try collection("info")
    }

    /// The collections that contain the values of a store.
    var ofValues: [DocumentCollection] {
        [descriptors, results, measurements, networks, urls, articles]
    }

    var all: [DocumentCollection] { ofValues + [info] }
}

// The indexes of a store.
extension ProbeSchema {
    /// The indexes of each collection. Names of indexes are unique in a file.
    static let indexes:
        [(collection: any KeyPath<ProbeSchema, DocumentCollection> & Sendable, spec: IndexSpec)] = [
            // The list of results by time. The filtered properties follow the time, so that only
            // documents that are shown are read.
            (
                \.results,
                .value(
                    "ooni_results_byTime",
                    on: """
                        startTime, id, descriptor.name, descriptor.key.runID, networkID, \
                        taskOrigin, runID
                        """)
            ),
            (
                \.results,
                .value(
                    "ooni_results_notViewed", on: "startTime",
                    where: "isViewed = FALSE AND isDone = TRUE AND counts.done > 0")
            ),
            (
                \.results,
                .value(
                    "ooni_results_missingUpload", on: "startTime", where: "counts.notUploaded > 0")
            ),
            (
                \.measurements,
                .value("ooni_measurements_done", on: "startTime", where: "isDone = TRUE")
            ),
            (
                \.measurements,
                .value(
                    "ooni_measurements_missingUpload", on: "startTime, id.number",
                    where: "isDone = TRUE AND isUploaded = FALSE")
            ),
        ]
}
