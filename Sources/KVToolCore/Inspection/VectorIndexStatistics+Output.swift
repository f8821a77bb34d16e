package import DocumentStore

extension Snapshot {
    /// The statistics of a vector index of this project; nil for another index, and for a damaged
    /// one, which is told on standard error.
    package func vectorStatistics(of index: IndexInfo) throws -> VectorIndexStatistics? {
        guard index.vectorOptions != nil, let name = CollectionName(index.keyStore) else {
            return nil
        }
        do {
            return try DocumentCollection(name).vectorIndexStatistics(index.name, in: self)
        } catch let error as StoreError where error.has(.corruptData) {
            StandardError.current.writeAboutSubject(
                "the vector index \(Text.line(index.name)): \(error.message)")
            return nil
        }
    }
}

extension VectorIndexOptions {
    /// The options in console output.
    var text: String {
        let probes = probes.map { ", \(Text.count($0, "probe"))" } ?? ""
        return "\(dimensions) dimensions, \(metric.rawValue), \(encoding.rawValue)\(probes)"
            + (isLazy ? ", lazy" : "")
    }
}

extension VectorIndexStatistics {
    /// The lines of `index show`.
    var headings: [(String, String)] {
        [
            ("Vectors", "\(vectors) with \(options.text)"),
            ("Cells", cells == 0 ? "none, all vectors are compared" : "\(cells)"),
            ("Changed", "\(changed), " + (options.isLazy ? "not found" : "compared one by one")),
            ("Left out", leftOutText),
        ].filter { $0.0 != "Changed" || changed > 0 }
    }

    /// How many documents are not in the index, and examples of those that could be.
    private var leftOutText: String {
        let examples = leftOutIDs.map { Text.line($0) }.joined(separator: ", ")
        let others = leftOut > leftOutIDs.count ? ", …" : ""
        let rejected = leftOut > 0 ? "\(leftOut) with another value (\(examples)\(others)), " : ""
        return rejected + "\(withoutValue) without a value"
    }

    /// The object in output for programs.
    var object: JSONText {
        var object = JSONObject()
        object.add("dimensions", options.dimensions)
        object.add("metric", options.metric.rawValue)
        object.add("encoding", options.encoding.rawValue)
        object.add("probes", options.probes)
        object.add("lazy", options.isLazy)
        object.add("vectors", vectors)
        object.add("cells", cells)
        object.add("changed", changed)
        object.add("withoutValue", withoutValue)
        object.add("leftOut", leftOut)
        object.add("leftOutIDs", leftOutIDs)
        return object.finished()
    }
}
