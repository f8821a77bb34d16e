public import DataFileCore
internal import QueryLanguage
internal import StoreFormat

/// An index that would serve a query.
public struct IndexAdvice: Sendable {
    /// The collection that it is of.
    public let collection: CollectionName
    /// The index; its name can be another one.
    public let index: IndexSpec
    /// What SQLite would be told.
    public let sql: String
    /// What it is good for, in words.
    public let reason: String
}

extension Query {
    /// The indexes that would serve the query and that the file does not have: for what it
    /// compares, by which it sorts or makes groups, for elements of arrays, for predictions.
    ///
    /// Whether they are worth their room and the time to keep them `IndexAdvice.measure` tells.
    ///
    /// Throws as `rows` does.
    public func adviseIndexes(in snapshot: Snapshot) throws -> [IndexAdvice] {
        let query = try QueryEdit.selection(of: statement) ?? selectStatement
        let analysis = try QueryAnalysis(.select(query), in: snapshot)
        var taken = Set(try IndexRegistry(snapshot.session()).rows().map(\.name))
        var advice: [IndexAdvice] = []
        for source in analysis.sources {
            for (kind, text, reason) in source.wishes {
                let name = Self.name(of: text.name, &taken)
                let spec = IndexSpec(name, kind, on: .sqlPlusPlus(text.expressions))
                guard let schema = try? spec.schema(of: source.collection.keyStoreName) else {
                    continue
                }
                let sql = (schema.tables.map(\.sql) + [schema.index?.sql(name)].compactMap(\.self))
                    .joined(separator: "; ")
                if advice.contains(where: { $0.sql == sql }) { continue }
                advice.append(
                    IndexAdvice(
                        collection: source.collection, index: spec, sql: sql, reason: reason))
            }
        }
        return advice
    }

    private var selectStatement: QuerySelect {
        get throws {
            guard case .select(let query) = statement else {
                throw StoreError(.unsupported, "the statement asks no documents")
            }
            return query
        }
    }

    /// A name that is free: `by_age`, `by_age_2`, …
    private static func name(of text: String, _ taken: inout Set<String>) -> String {
        let words = text.utf8.map { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) ? byte : 0x5F
        }
        let base = "by_" + String(decoding: words.prefix(40), as: UTF8.self)
        var name = base
        var number = 1
        while !taken.insert(name).inserted {
            number += 1
            name = "\(base)_\(number)"
        }
        return name
    }
}

extension QueryAnalysis.Source {
    /// What an index would have to be of.
    fileprivate typealias Wish = (
        kind: IndexSpec.Kind, text: (name: String, expressions: String), reason: String
    )

    fileprivate var wishes: [Wish] {
        (valueWish.map { [$0] } ?? []) + arrayWishes
            + predictions.map { prediction in
                let text = SQLPPWriter.text(prediction)
                return (.predictive(.init()), ("prediction", text), "the model is asked once")
            }
    }

    /// Equal values first, then one range, or else the order.
    private var valueWish: Wish? {
        var expressions: [String] = []
        for term in terms where term.isEquality && !expressions.contains(term.expression) {
            expressions.append(term.expression)
        }
        let range = terms.first { !$0.isEquality && !expressions.contains($0.expression) }
        let sorted = range == nil ? order.map(\.expression) : []
        let all =
            expressions + (range.map { [$0.expression] } ?? [])
            + sorted.filter { !expressions.contains($0) }
        guard let first = all.first, !hasIndex(beginningWith: first) else { return nil }
        let use = terms.isEmpty ? "has the documents in this order" : "finds the documents"
        return (.value, (first, all.joined(separator: ", ")), "an index of \(first) \(use)")
    }

    private func hasIndex(beginningWith expression: String) -> Bool {
        (terms + order).contains {
            $0.expression == expression && table.indexes.leading.contains($0.sql)
        }
    }

    private var arrayWishes: [Wish] {
        var seen: Set<QueryAnalysis.ArrayTerm> = []
        return arrays.compactMap { array in
            guard !table.indexes.hasArrayIndex(array.path), seen.insert(array).inserted else {
                return nil
            }
            return (
                .array(path: array.path), (array.path, array.expression),
                "the elements of \(array.path) are found in a table of their own"
            )
        }
    }
}

extension IndexAdvice {
    /// How long the query takes without the index and with it.
    public struct Gain: Sendable {
        /// The fastest of three runs, without the index.
        public let before: Duration
        /// The fastest of three runs, with it.
        public let after: Duration
        /// How long it took to make it.
        public let creation: Duration
    }

    /// Makes the index in a copy of the file, and runs the query there without it and with it. The
    /// file itself stays as it is.
    ///
    /// - Parameters:
    ///   - query: the query that the index is for.
    ///   - parameters: the values that it is run with.
    ///   - file: the file.
    ///   - path: where the copy is made, in a directory with space for it that nobody else can read, as
    ///     the copy has all documents; it is deleted afterwards.
    ///
    /// Where the file is encrypted, so is the copy, with the same key. Cancelling the task ends it.
    ///
    /// Throws what copying and asking throw.
    public func measure(
        _ query: Query, _ parameters: QueryParameters = [:], of file: DataFile, copyAt path: String
    ) async throws -> Gain {
        try await file.copy(to: path)
        defer { try? DataFile.delete(path: path) }
        var options = DataFileOptions(access: .readWrite)
        options.encryption = file.options.encryption
        let copy = try DataFile(path: path, options: options)
        defer { copy.close() }
        let before = try await Self.fastest(query, parameters, in: copy)
        let clock = ContinuousClock()
        let began = clock.now
        let (collection, index) = (collection, index)
        try await copy.write { _ = try DocumentCollection(collection).createIndex(index, in: $0) }
        let creation = clock.now - began
        let after = try await Self.fastest(query, parameters, in: copy)
        return Gain(before: before, after: after, creation: creation)
    }

    /// The fastest of three runs.
    private static func fastest(
        _ query: Query, _ parameters: QueryParameters, in file: DataFile
    ) async throws -> Duration {
        let query = try QueryEdit.selection(of: query.statement).map { Query(.select($0)) } ?? query
        let clock = ContinuousClock()
        var fastest: Duration?
        for _ in 0..<3 {
            let began = clock.now
            try await file.read { snapshot in
                let rows = try query.rows(in: snapshot, parameters)
                while try rows.next() != nil {}
            }
            let time = clock.now - began
            fastest = min(fastest ?? time, time)
        }
        return fastest ?? .zero
    }
}
