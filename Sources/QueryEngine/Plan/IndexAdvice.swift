public import DataFileCore
internal import QueryLanguage
internal import StoreFormat

/// A recommended index that would serve a query.
///
/// ``Query/adviseIndexes(in:)`` returns it. Measure it before creating the index, since each index
/// takes space and makes saving slower.
///
/// ```swift
/// let advice = try file.read { try query.adviseIndexes(in: $0) }
/// for advice in advice { print(advice.reason, advice.sql, separator: "\n  ") }
/// try file.write { transaction in
///     for advice in advice {
///         let collection = DocumentCollection(advice.collection)
///         _ = try collection.createIndex(advice.index, in: transaction)
///     }
/// }
/// ```
public struct IndexAdvice: Sendable {
    /// The collection of the index, which is the one whose documents the query scans.
    public let collection: CollectionName
    /// The definition of the index, as for `createIndex`.
    ///
    /// Its name is a suggestion that no index of the file has, such as `by_age` or `by_age_2`.
    public let index: IndexSpec
    /// The SQL that would create the index, for display; separated by semicolons if it has several
    /// statements.
    ///
    /// Create the index from ``index``, which also registers it.
    public let sql: String
    /// How the index serves the query, in plain English, such as "an index on age finds the
    /// documents".
    public let reason: String
}

extension Query {
    /// Recommends indexes that the file does not have and that would serve the query: for its
    /// comparisons, its order or groups, elements of arrays, and predictions.
    ///
    /// ```swift
    /// let query = try Query("SELECT name FROM people WHERE state = 'NY' AND age > 30")
    /// for advice in try query.adviseIndexes(in: snapshot) {
    ///     print(advice.index.name, advice.reason)
    /// }
    /// ```
    /// One value index serves several conditions: its expressions are those that are compared for
    /// equality, then one that is compared with a range or, without one, those of `ORDER BY`.
    ///
    /// The advice follows from the query alone, not from the data:
    /// ``IndexAdvice/measure(_:_:of:copyAt:)`` determines whether an index is worth the space it
    /// takes and the time to keep it up to date. ``explain(in:_:)`` shows whether SQLite uses the
    /// existing ones. No documents are read.
    ///
    /// - Parameter snapshot: the snapshot, or a transaction.
    /// - Returns: the recommended indexes; empty if the existing ones suffice. For an `UPDATE` or
    ///   `DELETE` they are those of selecting its documents.
    /// - Throws: the errors of ``rows(in:_:limits:)``.
    public func adviseIndexes(in snapshot: Snapshot) throws -> [IndexAdvice] {
        let analysis = try locatingErrors(in: snapshot) {
            try QueryAnalysis(statement.selection, in: snapshot)
        }
        var taken = Set(try IndexRegistry(snapshot.connection()).rows().map(\.name))
        var advice: [IndexAdvice] = []
        for source in analysis.sources {
            for (kind, text, reason) in source.candidates {
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

    /// An unused name: `by_age`, `by_age_2`, …
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
    /// The kind, content and purpose of an index.
    fileprivate typealias Candidate = (
        kind: IndexSpec.Kind, text: (name: String, expressions: String), reason: String
    )

    fileprivate var candidates: [Candidate] {
        (valueCandidate.map { [$0] } ?? []) + arrayCandidates
            + predictions.map { prediction in
                let text = SQLPPWriter.text(prediction)
                return (
                    .predictive(.init()), ("prediction", text), "the index stores the predictions"
                )
            }
    }

    /// Equality comparisons first, then one range, or else the order.
    private var valueCandidate: Candidate? {
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
        let use = terms.isEmpty ? "provides this order" : "finds the documents"
        return (.value, (first, all.joined(separator: ", ")), "an index on \(first) \(use)")
    }

    private func hasIndex(beginningWith expression: String) -> Bool {
        (terms + order).contains {
            $0.expression == expression && table.indexes.leading.contains($0.sql)
        }
    }

    private var arrayCandidates: [Candidate] {
        var seen: Set<QueryAnalysis.ArrayTerm> = []
        return arrays.compactMap { array in
            guard !table.indexes.hasArrayIndex(array.path), seen.insert(array).inserted else {
                return nil
            }
            return (
                .array(path: array.path), (array.path, array.expression),
                "an array index on \(array.path) finds the elements"
            )
        }
    }
}

extension IndexAdvice {
    /// The duration of a query without the index and with it.
    ///
    /// ```swift
    /// for index in try await file.read({ try query.adviseIndexes(in: $0) }) {
    ///     let gain = try await index.measure(query, of: file, copyAt: path)
    ///     print(index.index.name, gain.before, gain.after, gain.creation)
    /// }
    /// ```
    public struct Gain: Sendable {
        /// The fastest of three runs without the index, each of which reads all rows.
        public let before: Duration
        /// The fastest of three runs with the index. If it equals ``before``, SQLite does not use
        /// the index.
        public let after: Duration
        /// The time to create the index and to commit it.
        public let creation: Duration
    }

    /// Creates the index in a copy of the file, and runs the query there without it and with it.
    /// The file itself does not change.
    ///
    /// ```swift
    /// let advice = try await file.read { try query.adviseIndexes(in: $0) }
    /// for advice in advice {
    ///     let gain = try await advice.measure(query, ["least": 18], of: file, copyAt: path)
    ///     if gain.after < gain.before / 2 { print("create", advice.index.name) }
    /// }
    /// ```
    /// It takes the time to copy the file, to create the index and to run the query six times. The
    /// copy of an encrypted file is encrypted with the same key. Cancelling the task stops the
    /// measurement. An `UPDATE` or `DELETE` is not executed: only selecting its documents is
    /// measured.
    ///
    /// - Parameters:
    ///   - query: the query that the index is for.
    ///   - parameters: the values of its parameters; choose typical ones.
    ///   - file: the file.
    ///   - path: the path of the copy, in a directory with enough free space that no other user can
    ///     read, since the copy contains all documents; it is deleted afterwards.
    /// - Returns: the durations.
    /// - Throws: the errors of copying the file, creating the index and running the query.
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
        let clock = ContinuousClock()
        var fastest: Duration?
        for _ in 0..<3 {
            let time = try await file.read { snapshot in
                let query = try query.selecting(in: snapshot)
                let began = clock.now
                let rows = try query.rows(in: snapshot, parameters)
                while try rows.next() != nil {}
                return clock.now - began
            }
            fastest = min(fastest ?? time, time)
        }
        return fastest ?? .zero
    }
}
