internal import DocumentStore

// The indexes of a store.
extension OONIStore {
    /// What is indexed of each collection. Names of indexes are unique in a file.
    static let indexes:
        [(collection: any KeyPath<Collections, DocumentCollection> & Sendable, spec: IndexSpec)] = [
            // The list of results by time. What lists are filtered by stands behind it, so that no
            // document is read that is not shown.
            (
                \.results.collection,
                .value(
                    "ooni_results_byTime",
                    on: """
                        startTime, id, descriptor.name, descriptor.key.runID, networkID, \
                        taskOrigin, runID
                        """)
            ),
            (
                \.results.collection,
                .value(
                    "ooni_results_notViewed", on: "startTime",
                    where: "isViewed = FALSE AND isDone = TRUE AND counts.done > 0")
            ),
            (
                \.results.collection,
                .value(
                    "ooni_results_missingUpload", on: "startTime", where: "counts.notUploaded > 0")
            ),
            (
                \.measurements.collection,
                .value("ooni_measurements_done", on: "startTime", where: "isDone = TRUE")
            ),
            (
                \.measurements.collection,
                .value(
                    "ooni_measurements_missingUpload", on: "startTime, id.number",
                    where: "isDone = TRUE AND isUploaded = FALSE")
            ),
        ]
}
