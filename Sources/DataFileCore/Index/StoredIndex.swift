internal import QueryFunctions
package import SQLCore
package import StoreFormat
package import VectorIndex

/// An index as registered in its file, with its properties that are stored elsewhere in the file:
/// enough to create the same index in another file.
package struct StoredIndex: Hashable, Sendable {
    /// The name, unique in the file.
    package var name: String
    /// The kind; nil if the file has an unknown number.
    package var kind: IndexInfo.Kind?
    /// The store that is indexed.
    package var keyStore: KeyStoreName
    /// The column `expression`, including the prefix for its language (`=n` or `=j`), if any; nil
    /// in files from before Couchbase Lite 2.5.
    package var expression: String?
    /// The column `whereClause`.
    package var condition: String?
    /// The column `indexTableName`.
    package var table: String?
    /// The column `lastSeq`, for lazy vector indexes.
    package var lastSequences: String?
    /// The tokenizer arguments of a full-text index, from its table's SQL.
    package var tokenizerArguments: [String]
    /// Whether a predictive index leaves out documents on which its model fails.
    package var leavesFailuresOut: Bool
    /// The options of a vector index of this project.
    package var vectorOptions: VectorIndexOptions?

    package init(
        name: String, kind: IndexInfo.Kind?, keyStore: KeyStoreName, expression: String?,
        condition: String? = nil, table: String? = nil, lastSequences: String? = nil,
        tokenizerArguments: [String] = [], leavesFailuresOut: Bool = false,
        vectorOptions: VectorIndexOptions? = nil
    ) {
        self.name = name
        self.kind = kind
        self.keyStore = keyStore
        self.expression = expression
        self.condition = condition
        self.table = table
        self.lastSequences = lastSequences
        self.tokenizerArguments = tokenizerArguments
        self.leavesFailuresOut = leavesFailuresOut
        self.vectorOptions = vectorOptions
    }
}

extension StoredIndex {
    /// The definition with which the index can be created.
    ///
    /// Throws `.unsupported` for a vector index of another program, an unknown kind, a definition
    /// that the file does not contain, and options that this version does not support.
    package func spec() throws -> IndexSpec {
        guard let expressions = row.expressions, let kind = try specKind() else {
            throw StoreError(
                .unsupported,
                "the index \(name) of \(keyStore.rawName) cannot be created: "
                    + (kind == nil || kind == .vector && vectorOptions == nil
                        ? "this version does not support its kind"
                        : "its file does not contain its definition"))
        }
        return IndexSpec(name, kind, on: expressions, where: condition)
    }

    private var row: IndexRow {
        IndexRow(
            name: name, kind: kind, store: keyStore, expression: expression, condition: condition,
            table: table, lastSequences: lastSequences, vectorOptions: vectorOptions)
    }

    private func specKind() throws -> IndexSpec.Kind? {
        switch kind {
        case .value: .value
        case .fullText: .fullText(try fullTextOptions())
        case .array: row.arrayPath.map { .array(path: $0) }
        case .predictive:
            .predictive(
                PredictiveOptions(onFailure: leavesFailuresOut ? .leavesOut : .refusesWrite))
        case .vector: vectorOptions.map { .vector($0) }
        case nil: nil
        }
    }

    private func fullTextOptions() throws -> FullTextOptions {
        guard let options = try? TokenizerOptions(arguments: tokenizerArguments),
            options.wordCharacters.isEmpty, options.separators.isEmpty
        else {
            throw StoreError(
                .unsupported,
                "the full-text index \(name) has options that this version does not support: "
                    + tokenizerArguments.joined(separator: " "))
        }
        let language = options.stemmer ?? options.stopWordLanguage
        let canBeStemmed = language.map { FullTextOptions.stemmedLanguages.contains($0) } ?? false
        return FullTextOptions(
            language: language, isStemmed: options.stemmer != nil || !canBeStemmed,
            ignoresDiacritics: options.removesDiacritics, stopWords: options.stopWords,
            segmentsWords: options.segmentsWords)
    }
}

extension Snapshot {
    /// The file's indexes as registered, sorted by store and name.
    ///
    /// Throws `.wrongFormat` if the table of indexes has another layout.
    package func storedIndexes() throws -> [StoredIndex] {
        let connection = try connection()
        return try IndexRegistry(connection).rows().map { row in
            var index = try StoredIndex(row, in: connection.context)
            // All predictive indexes of a model handle failures in the same way.
            if row.kind == .predictive, let spec = try? index.spec() {
                index.leavesFailuresOut = try !hasPolicy(of: spec, row)
            }
            return index
        }
    }
}

extension StoredIndex {
    /// Combines a row of the registry with the table's SQL.
    package init(_ row: IndexRow, in context: SQLContext) throws {
        self.init(
            name: row.name, kind: row.kind, keyStore: row.store, expression: row.expression,
            condition: row.condition, table: row.table, lastSequences: row.lastSequences,
            vectorOptions: row.vectorOptions)
        guard row.kind == .fullText, let table = row.table else { return }
        let sql = try context.first(SchemaSQL.textOfName, [.text(table)]) { $0.text(at: 0) ?? "" }
        tokenizerArguments = TokenizerText.arguments(inTable: sql ?? "")
    }
}

extension Transaction {
    /// Creates an index as another file has registered it, unless the same one exists.
    ///
    /// - Parameter progress: as for `DocumentCollection.createIndex`.
    /// - Returns: whether an index was created.
    ///
    /// Throws the errors of `StoredIndex.spec` and `DocumentCollection.createIndex`.
    @discardableResult
    package func createIndex(
        _ index: StoredIndex, progress: ((IndexProgress) -> Bool)? = nil
    ) throws -> Bool {
        try KeyStore(index.keyStore).createIndex(index.spec(), in: self, progress: progress)
    }
}

/// The SQL of a full-text table: `… USING fts4("bio", tokenize=unicodesn "stemmer=en")`.
enum TokenizerText {
    /// The arguments after the tokenizer's name, each in double quotes.
    static func arguments(inTable sql: String) -> [String] {
        let bytes = Array(sql.utf8)
        let marker = Array("tokenize=unicodesn".utf8)
        guard bytes.count > marker.count else { return [] }
        // The last occurrence: properties can have any name.
        let start = (0...bytes.count - marker.count).last {
            bytes[$0..<$0 + marker.count].elementsEqual(marker)
        }
        guard let start else { return [] }
        var arguments: [String] = []
        var rest = bytes[(start + marker.count)...]
        while let argument = next(&rest) { arguments.append(argument) }
        return arguments
    }

    /// The next argument. A doubled quote in it stands for one.
    private static func next(_ rest: inout ArraySlice<UInt8>) -> String? {
        rest = rest.drop { $0 == UInt8(ascii: " ") }
        let quote = UInt8(ascii: "\"")
        guard rest.first == quote else { return nil }
        rest = rest.dropFirst()
        var text: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == quote {
                guard rest.first == quote else { return String(decoding: text, as: UTF8.self) }
                rest = rest.dropFirst()
            }
            text.append(byte)
        }
        return nil
    }
}
