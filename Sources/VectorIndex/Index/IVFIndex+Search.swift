internal import CVector
internal import SQLCore
internal import StoreFormat

// Finding the nearest vectors.
extension IVFIndex {
    /// The factor of the standard deviation within which an estimate is taken to be.
    private static let confidence: Float = 1.9
    /// The part of the documents up to which all that pass a filter are measured.
    private static let measuredShare = 20
    /// The part of the documents from which all are measured if so many are wanted.
    private static let mostShare = 10

    /// The vectors that are nearest to another one.
    ///
    /// - Parameters:
    ///   - numbers: the vector: single-precision numbers, little-endian.
    ///   - limit: how many are found at most; nil for all.
    ///   - probes: how many cells are searched; nil for the index's number.
    ///   - only: the documents among which are searched; nil for all.
    ///   - excluded: documents that are not in the result.
    /// - Throws: `.invalidQueryParameter` if the vector cannot be compared with those of the index.
    package func nearest(
        to numbers: UnsafeRawBufferPointer, limit: Int?, probes: Int? = nil, only: [Int64]? = nil,
        except excluded: Set<Int64> = []
    ) throws -> NearestVectors {
        guard let vector = placed(numbers) else {
            throw StoreError(
                .invalidQueryParameter,
                "the vector index needs a vector of \(space.dimensions) finite numbers"
                    + (space.metric == .cosine ? " that are not all 0" : ""))
        }
        return try nearest(
            Search(
                query: QueryVector(vector, space), found: NearestHeap(limit: limit ?? .max),
                filter: only.map { DocumentFilter($0) }, excluded: excluded), probes)
    }

    /// The vectors that are nearest to that of a document, which is not among them; nil if the
    /// index has none of the document.
    package func nearest(
        toVectorOf docid: Int64, limit: Int, except excluded: Set<Int64>
    ) throws -> NearestVectors? {
        guard let vector = try statements.withVector(docid, { try stored.decoded($0) }) else {
            return nil
        }
        return try nearest(
            Search(
                query: QueryVector(vector, space), found: NearestHeap(limit: limit), filter: nil,
                excluded: excluded.union([docid])), nil)
    }

    private func nearest(_ search: Search, _ probes: Int?) throws -> NearestVectors {
        var search = search
        guard search.found.limit > 0 else { return NearestVectors() }
        try run(&search, probes ?? options.probes)
        return NearestVectors(
            documents: search.found.sorted().map {
                ($0.docid, space.metric.distance(ofOrder: $0.order))
            }, work: search.work)
    }

    /// Measures the distances of numbers from a vector in the metric of the index; nil for those
    /// that cannot be in it.
    package func distances(
        from vector: UnsafeRawBufferPointer
    ) -> (UnsafeRawBufferPointer) -> Double? {
        let vector = placed(vector)
        let kernels = space.kernels.pointee
        return { [space] numbers in
            guard let vector, let other = self.placed(numbers) else { return nil }
            let order =
                space.metric.isProduct
                ? -kernels.product(other, vector, space.count)
                : kernels.squared_distance(other, vector, space.count)
            return space.metric.distance(ofOrder: order)
        }
    }

    private func run(_ search: inout Search, _ probes: Int?) throws {
        let cells = try cells()
        let total = cells.map { $0.cells.count * $0.averageCell / 2 } ?? 0
        if let filter = search.filter,
            filter.docids.count <= max(1000, total / Self.measuredShare, search.found.limit)
        {
            return try measure(filter.docids, &search)
        }
        guard let cells, search.found.limit <= total / Self.mostShare else {
            return try measureAll(&search)
        }
        try probe(cells, probes, &search)
    }

    private func measure(_ docids: some Sequence<Int64>, _ search: inout Search) throws {
        // Most vectors have two entries.
        for docid in docids
        where !search.excluded.contains(docid) && search.measured.insert(docid).inserted {
            try statements.withVector(docid) { bytes in
                search.work.measurements += 1
                search.found.add(docid, try stored.order(bytes, from: search.query))
            }
        }
    }

    private func measureAll(_ search: inout Search) throws {
        try statements.forEachVector(after: .min, limit: .max) { docid, bytes in
            guard search.accepts(docid) else { return }
            search.work.measurements += 1
            search.found.add(docid, try stored.order(bytes, from: search.query))
        }
    }

    /// Searches the nearest cells.
    private func probe(_ cells: CellSet, _ probes: Int?, _ search: inout Search) throws {
        var candidates = CandidateList()
        let estimator = CellEstimator(search.query, cells, space, confidence: Self.confidence)
        var limit = ProbeLimit(probes, limit: search.found.limit)
        let accepts = search.acceptsAll ? nil : search.accepts
        for (index, order) in estimator.nearestCells() {
            let distance = estimator.distance(order)
            guard !limit.isReached(before: distance) else { break }
            search.work.cells += 1
            let planes = estimator.planes(index, order)
            let start = candidates.count
            try postings.forEachRow(of: cells.cells[index]) { _, entries in
                candidates.append(
                    entries, planes, count: entries.count / postings.entrySize, space)
            }
            limit.note(candidates.candidates[start...], at: distance, accepts)
        }
        search.work.estimates = candidates.count
        try measure(candidates, &search)
    }

    /// Measures the candidates that can be among the nearest: first those with the least estimates,
    /// which bound the others.
    private func measure(_ candidates: CandidateList, _ search: inout Search) throws {
        let accepted = candidates.filtered(search.accepts)
        let some = search.found.limit < accepted.count ? 4 * search.found.limit : accepted.count
        let first = accepted.map(\.distance).indicesOfLeast(some)
        try measure(first.map { accepted[$0].docid }, &search)
        var isMeasured = [Bool](repeating: false, count: accepted.count)
        for index in first { isMeasured[index] = true }
        let bound = search.found.bound
        let rest = accepted.indices.filter {
            !isMeasured[$0] && accepted[$0].distance - accepted[$0].error < bound
        }
        for index in rest.sorted(by: { accepted[$0].distance < accepted[$1].distance })
        where accepted[index].distance - accepted[index].error < search.found.bound {
            try measure(CollectionOfOne(accepted[index].docid), &search)
        }
    }
}

/// A search in progress.
private struct Search {
    let query: QueryVector
    var found: NearestHeap
    let filter: DocumentFilter?
    let excluded: Set<Int64>
    var measured: Set<Int64> = []
    var work = SearchWork()

    var acceptsAll: Bool { filter == nil && excluded.isEmpty }

    func accepts(_ docid: Int64) -> Bool {
        (filter?.contains(docid) ?? true) && !excluded.contains(docid)
    }
}
