import SQLCore
import SampleData
import Testing
import VectorIndex

@Suite("A vector index")
struct IVFIndexTests {
    private static func distance(_ a: [Float], _ b: [Float], _ metric: VectorMetric) -> Double {
        let product = zip(a, b).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let square = zip(a, b).reduce(0.0) { sum, pair in
            let difference = Double(pair.0) - Double(pair.1)
            return sum + difference * difference
        }
        func length(_ v: [Float]) -> Double {
            v.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        }
        return switch metric {
        case .euclideanSquared: square
        case .euclidean: square.squareRoot()
        case .cosine: 1 - product / (length(a) * length(b))
        case .dot: -product
        }
    }

    private static func exact(
        _ vectors: [Int64: [Float]], _ query: [Float], _ metric: VectorMetric, _ limit: Int
    ) -> [(docid: Int64, distance: Double)] {
        let all = vectors.map { ($0.key, distance($0.value, query, metric)) }
        return Array(all.sorted { ($0.1, $0.0) < ($1.1, $1.0) }.prefix(limit))
    }

    @Test(
        "without cells finds exactly the nearest vectors", arguments: VectorMetric.allCases,
        VectorEncoding.allCases)
    func exact(metric: VectorMetric, encoding: VectorEncoding) throws {
        var source = SampleVectors(dimensions: 40, seed: 11)
        let sample = try SampleIndex(.init(dimensions: 40, metric: metric, encoding: encoding))
        var vectors: [Int64: [Float]] = [:]
        for docid in 1...300 {
            vectors[Int64(docid)] = source.next()
            #expect(try sample.set(Int64(docid), vectors[Int64(docid)]!))
        }
        let query = source.next()
        let expected = Self.exact(vectors, query, metric, 5)
        let found = try sample.nearest(query, 5).documents
        let scale = max(abs(expected[0].distance), abs(expected[4].distance))
        for (one, other) in zip(found, expected) {
            #expect(abs(one.distance - other.distance) <= 0.02 * scale, "\(one) \(other)")
        }
        if encoding == .none { #expect(found.map(\.docid) == expected.map(\.docid)) }
    }

    @Test("leaves out what is not a vector of its dimensions")
    func invalidVectors() throws {
        let sample = try SampleIndex(.init(dimensions: 3, metric: .cosine))
        #expect(try sample.set(1, [1, 2, 3]))
        for vector in [[], [1, 2], [1, 2, 3, 4], [1, .nan, 3], [.infinity, 0, 0], [0, 0, 0]]
            as [[Float]]
        {
            #expect(try !sample.set(2, vector))
        }
        #expect(try sample.index.count() == 1)
        // A document whose vector becomes invalid is no longer found.
        #expect(try !sample.set(1, [0, 0, 0]))
        #expect(try sample.nearest([1, 2, 3], 5).documents.isEmpty)
        #expect(throws: (any Error).self) { try sample.nearest([1, 2], 5) }
        #expect(throws: (any Error).self) { try sample.nearest([1, 2, .nan], 5) }
    }

    /// Recall of the 10 nearest over some queries.
    private func recall(
        _ sample: SampleIndex, _ vectors: [Int64: [Float]], _ metric: VectorMetric,
        _ source: inout SampleVectors, only: [Int64]? = nil
    ) throws -> Double {
        var hits = 0
        let included = only.map { docids in
            Dictionary(uniqueKeysWithValues: docids.map { ($0, vectors[$0]!) })
        }
        for _ in 0..<20 {
            let query = source.next()
            let expected = Set(
                Self.exact(included ?? vectors, query, metric, 10).map(\.docid))
            let found = try sample.nearest(query, 10, only: only).documents.map(\.docid)
            #expect(Set(found).count == found.count)
            hits += expected.intersection(found).count
        }
        return Double(hits) / 200
    }

    @Test(
        "with cells finds nearly all of the nearest vectors, also after half were replaced",
        arguments: VectorMetric.allCases)
    func cells(metric: VectorMetric) throws {
        var source = SampleVectors(dimensions: 48, seed: 12)
        let sample = try SampleIndex(.init(dimensions: 48, metric: metric))
        var vectors: [Int64: [Float]] = [:]
        try sample.context.transaction {
            for docid in 1...6000 as ClosedRange<Int64> {
                vectors[docid] = source.next()
                try sample.set(docid, vectors[docid]!)
            }
            try sample.index.buildCells()
        }
        #expect(try sample.index.hasCells())
        try expectIntact(sample, vectors.count)
        let before = try recall(sample, vectors, metric, &source)
        #expect(before >= 0.95)
        // Others are added, so that cells are split.
        try sample.context.transaction {
            for docid in stride(from: 1, through: 6000, by: 2) as StrideThrough<Int64> {
                vectors[docid] = nil
                try sample.index.remove(docid)
                vectors[docid + 10_000] = source.next()
                try sample.set(docid + 10_000, vectors[docid + 10_000]!)
            }
        }
        try expectIntact(sample, vectors.count)
        #expect(try recall(sample, vectors, metric, &source) >= 0.95)
        let some = vectors.keys.filter { $0 % 7 == 0 }.sorted()
        #expect(try recall(sample, vectors, metric, &source, only: some) >= 0.95)
        let few = Array(vectors.keys.sorted().prefix(50))
        #expect(try recall(sample, vectors, metric, &source, only: few) >= 0.98)
    }

    /// Each vector has one entry in its cell.
    private func expectIntact(_ sample: SampleIndex, _ count: Int) throws {
        #expect(try sample.index.damage().isEmpty)
        #expect(try sample.index.count() == count)
    }

    @Test("separates cells by their vectors only: equal ones stay together")
    func equalVectors() throws {
        let sample = try SampleIndex(.init(dimensions: 8))
        try sample.context.transaction {
            for docid in 1...5100 as ClosedRange<Int64> {
                try sample.set(docid, [1, 2, 3, 4, 5, 6, 7, Float(docid % 3)])
            }
            try sample.index.buildCells()
            for docid in 5101...5700 as ClosedRange<Int64> {
                try sample.set(docid, [1, 2, 3, 4, 5, 6, 7, 1])
            }
        }
        try expectIntact(sample, 5700)
        let found = try sample.nearest([1, 2, 3, 4, 5, 6, 7, 1], 3).documents
        #expect(found.count == 3 && found.allSatisfy { $0.distance < 1e-3 })
    }

    @Test("vectors that are set together are those that are set one by one, in divided cells, too")
    func together() throws {
        var source = SampleVectors(dimensions: 16, seed: 14)
        let (one, all) = (
            try SampleIndex(.init(dimensions: 16)), try SampleIndex(.init(dimensions: 16))
        )
        for sample in [one, all] {
            var same = source
            try sample.context.transaction {
                for docid in 1...5200 as ClosedRange<Int64> { try sample.set(docid, same.next()) }
                try sample.index.buildCells()
            }
        }
        let cells = try all.index.cellCount()
        // Those of a few groups, so that some cells grow and others vanish; some are no vectors.
        let changes = (1...2000 as ClosedRange<Int64>).map { docid -> (Int64, [Float]?) in
            let vector = source.next()
            let changed = vector.map { $0 / 8 + Float(docid % 3) }
            return (docid, docid % 50 == 0 ? nil : docid % 77 == 0 ? [1] : changed)
        }
        for (docid, vector) in changes {
            if let vector { try one.set(docid, vector) } else { try one.index.remove(docid) }
        }
        try all.index.set(
            changes.map { docid, vector in
                (docid, vector.map { numbers in numbers.withUnsafeBytes { Array($0) } })
            })
        try expectIntact(one, try all.index.count())
        try expectIntact(all, try one.index.count())
        #expect(try all.index.cellCount() != cells)
        for _ in 0..<20 {
            let query = source.next()
            #expect(
                try all.nearest(query, 5).documents.map(\.docid)
                    == one.nearest(query, 5).documents.map(\.docid))
        }
    }

    /// An index of `count` vectors with cells.
    private func filled(
        _ count: Int64, dimensions: Int = 16, encoding: VectorEncoding = .none,
        _ next: (Int64) -> [Float]
    ) throws -> (sample: SampleIndex, vectors: [Int64: [Float]]) {
        let sample = try SampleIndex(.init(dimensions: dimensions, encoding: encoding))
        var vectors: [Int64: [Float]] = [:]
        try sample.context.transaction {
            for docid in 1...count {
                vectors[docid] = next(docid)
                try sample.set(docid, vectors[docid]!)
            }
            try sample.index.buildCells()
        }
        return (sample, vectors)
    }

    /// The share of the nearest that is found.
    private func recall(
        _ sample: SampleIndex, _ vectors: [Int64: [Float]], _ query: [Float], _ limit: Int,
        only: [Int64]? = nil, except excluded: Set<Int64> = []
    ) throws -> Double {
        let wanted = only.map { Set($0) }
        let among = vectors.filter {
            wanted?.contains($0.key) ?? true && !excluded.contains($0.key)
        }
        let expected = Set(Self.exact(among, query, .euclideanSquared, limit).map(\.docid))
        let found = try query.withUnsafeBytes {
            try sample.index.nearest(to: $0, limit: limit, only: only, except: excluded)
        }.documents.map(\.docid)
        #expect(found.count == min(limit, among.count))
        return Double(expected.intersection(found).count) / Double(expected.count)
    }

    @Test("finds the nearest of those that pass a filter, wherever they are")
    func filters() throws {
        var source = SampleVectors(dimensions: 16, seed: 15)
        // Half of them are far from the queries, and these are what the filter accepts.
        let (sample, vectors) = try filled(6000) { docid in
            source.next().map { $0 + (docid % 2 == 0 ? 40 : 0) }
        }
        let far = vectors.keys.filter { $0 % 2 == 0 }
        for _ in 0..<5 {
            let query = source.next()
            #expect(try recall(sample, vectors, query, 10, only: far) >= 0.8)
            let near = Set(vectors.keys).subtracting(far)
            #expect(try recall(sample, vectors, query, 10, except: near) >= 0.8)
        }
    }

    @Test("finds the nearest of those that remain after all near ones were removed")
    func holes() throws {
        var source = SampleVectors(dimensions: 16, seed: 16)
        var (sample, vectors) = try filled(6000) { _ in source.next() }
        let query = source.next()
        let removed = Self.exact(vectors, query, .euclideanSquared, 300).map(\.docid)
        for docid in removed {
            try sample.index.remove(docid)
            vectors[docid] = nil
        }
        try expectIntact(sample, 5700)
        #expect(try recall(sample, vectors, query, 10) >= 0.7)
    }

    @Test("finds the nearest also if many are wanted", arguments: [10, 50, 100, 400, 5000])
    func limits(limit: Int) throws {
        var source = SampleVectors(dimensions: 32, rank: 32, groups: 300, seed: 17)
        let (sample, vectors) = try filled(6000, dimensions: 32) { _ in source.next() }
        var sum = 0.0
        for _ in 0..<10 { sum += try recall(sample, vectors, source.next(), limit) }
        #expect(sum / 10 >= 0.95, "\(sum / 10)")
    }

    @Test("finds the nearest among equal vectors and others", arguments: [10, 50, 100])
    func duplicates(limit: Int) throws {
        var source = SampleVectors(dimensions: 32, rank: 32, groups: 300, seed: 18)
        let some = (0..<40).map { _ in source.next() }
        let (sample, vectors) = try filled(6000, dimensions: 32) { docid in
            docid % 2 == 0 ? some[Int(docid / 2 % 40)] : source.next()
        }
        // The vector of the 10th: of equal ones, any is right.
        for query in some.prefix(5) {
            let expected = Self.exact(vectors, query, .euclideanSquared, limit).map(\.distance)
            let found = try sample.nearest(query, limit).documents.map(\.distance)
            let right = zip(found, expected).filter { $0.0 <= $0.1 * 1.001 + 1e-3 }.count
            #expect(found.count == limit && Double(right) >= 0.9 * Double(limit), "\(right)")
        }
    }

    @Test("tells of centroids and codes that are not those of the vectors")
    func damage() throws {
        for damage in [
            """
            UPDATE "T:cells" SET centroid = (SELECT centroid FROM "T:cells" WHERE cell = 2)
            WHERE cell = 1
            """,
            "UPDATE \"T:cells\" SET centroid = zeroblob(256) WHERE cell = 3",
            """
            UPDATE "T:cells" SET centroid = substr(centroid, 1, 252) || x'FFFFFFFF' WHERE cell = 4
            """,
            """
            UPDATE "T:postings" SET entries = substr(entries, 1, 8) || x'0000C842' ||
                substr(entries, 13)
            """,
            """
            UPDATE "T:postings" SET entries = substr(entries, 1, 16) || x'AAAAAAAA55555555' ||
                substr(entries, 25)
            """,
        ] {
            for encoding in VectorEncoding.allCases {
                var source = SampleVectors(dimensions: 16, seed: 19)
                let (sample, _) = try filled(5000, encoding: encoding) { _ in source.next() }
                #expect(try sample.index.damage().isEmpty)
                try sample.context.exec(
                    sql: damage.replacing("T:", with: "kv_default:vectors:test:"))
                let other = try SampleIndex(sample)
                #expect(try !other.index.damage().isEmpty, "\(damage)")
            }
        }
    }

    @Test("is undone by a rollback, with the cells in memory")
    func rollback() throws {
        var source = SampleVectors(dimensions: 16, seed: 13)
        let sample = try SampleIndex(.init(dimensions: 16))
        try sample.context.transaction {
            for docid in 1...5200 as ClosedRange<Int64> { try sample.set(docid, source.next()) }
            try sample.index.buildCells()
        }
        let query = source.next()
        let before = try sample.nearest(query, 20).documents.map(\.docid)
        struct Undone: Error {}
        #expect(throws: Undone.self) {
            try sample.context.transaction {
                for docid in 1...3000 as ClosedRange<Int64> { try sample.set(docid, source.next()) }
                throw Undone()
            }
        }
        #expect(try sample.nearest(query, 20).documents.map(\.docid) == before)
        try expectIntact(sample, 5200)
    }
}
