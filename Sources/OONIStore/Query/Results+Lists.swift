public import DocumentStore

extension OONIStore {
    /// A page of a list of results, newest first: see ``Results/page(_:after:limit:in:)``.
    public struct ResultPage: Hashable, Sendable {
        /// The results, in the order of the list.
        public let results: [TestResult]
        /// The keys of documents that cannot be read as results; `verify(in:)` reports what is
        /// wrong with them, and `delete` removes them, too.
        public let skipped: [String]
        /// The cursor of the next page; nil at the end of the list.
        public let next: ResultCursor?
    }

    /// A position in a list of results: after the last result of a page.
    ///
    /// It can be stored, for example as JSON with the state of a screen, and stays valid when
    /// results are inserted or deleted.
    public struct ResultCursor: Codable, Hashable, Sendable {
        let startTime: Instant
        let id: TestResult.ID
    }
}

extension OONIStore.Results {
    /// A page of the list of results: newest first; of those that started at the same time, the
    /// last inserted first.
    ///
    /// Results that are inserted or deleted in the meantime do not move other results to another
    /// page. Each page is a range of an index, so that the last page takes as long as the first.
    ///
    /// ```swift
    /// var cursor: OONIStore.ResultCursor?
    /// repeat {
    ///     let page = try probe.read { try probe.results.page(after: cursor, limit: 50, in: $0) }
    ///     show(page.results)
    ///     cursor = page.next
    /// } while cursor != nil
    /// ```
    ///
    /// - Parameters:
    ///   - filter: the filter on results; all by default.
    ///   - cursor: the `next` of the previous page with the same filter; nil for the first page.
    ///   - limit: the maximum number of results, at least 1; 100 by default.
    ///   - snapshot: the snapshot in which they are read.
    /// - Returns: the results, the keys of unreadable documents, and the cursor of the next page.
    ///   For results with their descriptors and networks use ``shown(_:in:)``.
    /// - Throws: a `StoreError`.
    public func page(
        _ filter: OONIStore.ResultFilter = .all, after cursor: OONIStore.ResultCursor? = nil,
        limit: Int = 100, in snapshot: Snapshot
    ) throws -> OONIStore.ResultPage {
        let limit = min(max(limit, 1), 1_000_000_000)
        var parameters: QueryParameters = ["limit": .integer(Int64(limit) + 1)]
        let query = try Self.list(filter, after: cursor, &parameters)
        let rows = try query.rows(in: snapshot, parameters).all()
        var (results, skipped): ([OONIStore.TestResult], [String]) = ([], [])
        for row in rows.prefix(limit) {
            do {
                results.append(try Self.result(row))
            } catch is DecodingError {
                skipped.append(row[1].string ?? "")
            }
        }
        let last = rows.count > limit ? rows[limit - 1] : nil
        return OONIStore.ResultPage(
            results: results, skipped: skipped, next: last.map { Self.cursor($0) })
    }

    private static func result(_ row: ResultRow) throws -> OONIStore.TestResult {
        guard let properties = row[0].dictionary else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: [], debugDescription: "the document has no properties"))
        }
        return try FleeceRowDecoder.shared.decode(OONIStore.TestResult.self, from: properties.value)
    }

    private static func cursor(_ row: ResultRow) -> OONIStore.ResultCursor {
        .init(
            startTime: .init(milliseconds: row[2].int ?? .min),
            id: .init(key: row[1].string ?? "") ?? .init(0))
    }

    /// The query of a list; its parameter `limit` has to be bound.
    private static func list(
        _ filter: OONIStore.ResultFilter, after cursor: OONIStore.ResultCursor? = nil,
        _ parameters: inout QueryParameters
    ) throws -> Query {
        var conditions = try filter.conditions(&parameters)
        if let cursor {
            conditions +=
                " AND r.startTime <= $time AND (r.startTime < $time OR r.id < $number)"
            parameters["time"] = .integer(cursor.startTime.milliseconds)
            parameters["number"] = .integer(cursor.id.number)
        }
        return try Query(
            "SELECT r, META(r).id, r.startTime FROM ooni.results AS r \(conditions.asWhere) "
                + "ORDER BY r.startTime DESC, r.id DESC LIMIT $limit")
    }

    /// The newest result; nil if there is none. A document that cannot be read is skipped.
    public func latest(in snapshot: Snapshot) throws -> OONIStore.TestResult? {
        try entities.values(Self.newest, limit: 1, in: snapshot).first
    }

    /// The results of the newest run, that is of one tap on "Run", newest first.
    ///
    /// If no result has a run, only the newest result.
    ///
    /// ```swift
    /// let run = try probe.read { try probe.results.lastRun(in: $0) }
    /// let isRunning = run.contains { !$0.isDone }
    /// ```
    ///
    /// - Parameter snapshot: the snapshot in which they are read.
    /// - Returns: the results; empty if there are none.
    public func lastRun(in snapshot: Snapshot) throws -> [OONIStore.TestResult] {
        guard let newest = try entities.values(Self.newestOfRun, limit: 1, in: snapshot).first,
            let runID = newest.runID
        else { return try latest(in: snapshot).map { [$0] } ?? [] }
        return try entities.values(Self.run, ["run": .string(runID)], in: snapshot)
    }

    /// The newest done result of a descriptor; nil if there is none.
    ///
    /// ```swift
    /// let last = try probe.read { try probe.results.lastDone(of: link.filterKey, in: $0) }
    /// show(last?.startTime.date ?? .distantPast)
    /// ```
    ///
    /// - Parameters:
    ///   - descriptor: the name of a default card, or the number of a link, in any revision.
    ///   - snapshot: the snapshot in which it is read.
    /// - Returns: the result. A document that cannot be read is skipped.
    public func lastDone(
        of descriptor: String, in snapshot: Snapshot
    ) throws -> OONIStore.TestResult? {
        try entities.values(Self.done, ["key": .string(descriptor)], limit: 1, in: snapshot).first
    }

    // Without a limit, because the first document may be unreadable.
    private static func query(_ conditions: String) throws -> Query {
        try Query(
            "SELECT r FROM ooni.results AS r \(conditions) ORDER BY r.startTime DESC, r.id DESC")
    }

    private static var newest: Query { get throws { try query("") } }

    private static var newestOfRun: Query {
        get throws { try query("WHERE r.runID IS VALUED") }
    }

    private static var run: Query { get throws { try query("WHERE r.runID = $run") } }

    private static var done: Query {
        get throws {
            try query(
                "WHERE r.isDone = TRUE "
                    + "AND (r.descriptor.name = $key OR r.descriptor.key.runID = $key)")
        }
    }
}

extension String {
    /// Conditions that each begin with ` AND `, as a WHERE clause.
    var asWhere: String { isEmpty ? "" : "WHERE " + dropFirst(5) }
}
