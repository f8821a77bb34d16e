package import DocumentStore

/// How an index is called, and what is said of it.
package enum IndexText {
    /// The kind, as all commands call it.
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

    /// The collection of an index, or the raw store.
    package static func collection(_ store: KeyStoreName) -> String {
        CollectionName(store)?.description ?? store.rawName
    }

    /// The collection and the name.
    static func path(_ index: IndexInfo) -> String {
        "\(collection(index.keyStore)).\(index.name)"
    }

    /// Why an index may be wrong, in a word; nil if nothing speaks for that.
    static func staleness(_ index: IndexInfo) -> String? {
        switch index.staleness {
        case .foreign: "foreign"
        case .collationChanged: "textOrder"
        case nil: nil
        }
    }

    /// Why an index may be wrong, and what to do.
    static func reason(_ index: IndexInfo) -> String {
        switch index.staleness {
        case .foreign: "only the program that made it keeps it current; make it again there"
        case .collationChanged: "its texts may be in the order of another platform; make it again"
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

    /// What is indexed, for people.
    static func subject(_ index: IndexInfo) -> String {
        let path = index.arrayPath.map { "elements of \($0)" } ?? ""
        let expressions = index.expressions?.text ?? ""
        return [path, expressions].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension Snapshot {
    /// The index of a name, of any collection, since names are unique in a file.
    ///
    /// Throws the tool's error with the status of what is not found.
    package func index(_ name: String, in collection: DocumentCollection?) throws -> IndexInfo {
        let index = try indexes().first { index in
            // By bytes, as the file tells names apart.
            index.name.utf8.elementsEqual(name.utf8)
                && collection.map { $0.keyStore.name == index.keyStore } ?? true
        }
        guard let index else { throw Self.noIndex(name, collection) }
        return index
    }

    /// What is said of an index that is not there.
    package static func noIndex(_ name: String, _ collection: DocumentCollection?) -> ToolError {
        let place = collection.map { " in the collection \($0.name)" } ?? ""
        return ToolError(
            "no index named \"\(Text.line(name))\"\(place); index ls lists them", status: .notFound)
    }
}
