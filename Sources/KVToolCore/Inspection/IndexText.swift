package import DocumentStore

/// Descriptions of indexes.
package enum IndexText {
    /// The name of the kind in all commands.
    package static func kind(_ kind: IndexInfo.Kind?) -> String {
        switch kind {
        case .value: "value"
        case .fullText: "full-text"
        case .array: "array"
        case .predictive: "predictive"
        case .vector: "vector"
        case nil: "unknown"
        }
    }

    /// The name of an index's collection, or of its key store.
    package static func collection(_ store: KeyStoreName) -> String {
        CollectionName(store)?.description ?? store.rawName
    }

    /// The collection and the name of the index.
    static func path(_ index: IndexInfo) -> String {
        "\(collection(index.keyStore)).\(index.name)"
    }

    /// A keyword for the reason why an index may be stale; nil if it is not.
    static func staleness(_ index: IndexInfo) -> String? {
        switch index.staleness {
        case .foreign: "foreign"
        case .collationChanged: "collationChanged"
        case nil: nil
        }
    }

    /// The reason why an index may be stale, and what to do.
    static func reason(_ index: IndexInfo) -> String {
        switch index.staleness {
        case .foreign: "only the program that created it updates it; re-create it there"
        case .collationChanged: "its collation may have changed; rebuild it with reindex"
        case nil: ""
        }
    }

    /// The language of the expressions.
    static func language(_ index: IndexInfo) -> String? {
        switch index.expressions?.language {
        case .sqlPlusPlus: "SQL++"
        case .json: "JSON"
        case nil: nil
        }
    }

    /// The indexed expressions in console output.
    static func subject(_ index: IndexInfo) -> String {
        let path = index.arrayPath.map { "elements of \($0)" } ?? ""
        let expressions = index.expressions?.text ?? ""
        return [path, expressions].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension Snapshot {
    /// Returns the index with a name, in any collection, because names are unique in a file.
    ///
    /// - Throws: a tool error with the status `notFound`.
    package func index(_ name: String, in collection: DocumentCollection?) throws -> IndexInfo {
        let index = try indexes().first { index in
            // By bytes, as in the file.
            index.name.utf8.elementsEqual(name.utf8)
                && collection.map { $0.keyStore.name == index.keyStore } ?? true
        }
        guard let index else { throw Self.noIndex(name, collection) }
        return index
    }

    /// The error for an index that does not exist.
    package static func noIndex(_ name: String, _ collection: DocumentCollection?) -> ToolError {
        let location = collection.map { " in the collection \($0.name)" } ?? ""
        return ToolError(
            "there is no index \"\(Text.line(name))\"\(location); list the indexes with "
                + "kvtool index ls",
            status: .notFound)
    }
}
