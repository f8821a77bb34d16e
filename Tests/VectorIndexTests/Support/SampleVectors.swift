import SQLCore
import SampleData
import VectorIndex

/// Vectors like those of texts: near a subspace of few dimensions, in groups.
struct SampleVectors {
    let dimensions: Int
    private var generator: SeededGenerator
    private let axes: [[Float]]
    private let groups: [[Float]]

    init(dimensions: Int, rank: Int = 24, groups: Int = 40, seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        self.dimensions = dimensions
        axes = (0..<rank).map { _ in (0..<dimensions).map { _ in generator.normal() } }
        self.groups = (0..<groups).map { _ in (0..<rank).map { _ in generator.normal() } }
        self.generator = generator
    }

    mutating func next() -> [Float] {
        let group = groups[Int(generator.next() % UInt64(groups.count))]
        var vector = (0..<dimensions).map { _ in 0.3 * generator.normal() }
        for (axis, center) in zip(axes, group) {
            let weight = center + 0.6 * generator.normal()
            for index in vector.indices { vector[index] += weight * axis[index] }
        }
        return vector
    }
}

extension SeededGenerator {
    mutating func normal() -> Float {
        // The sum of uniform numbers is nearly normal.
        var sum: Float = -6
        for _ in 0..<12 { sum += Float(next() >> 40) / Float(1 << 24) }
        return sum
    }
}

/// An index in a database of its own.
struct SampleIndex {
    let context: SQLContext
    let index: IVFIndex
    let tables = VectorTables(base: "kv_default:vectors:test")

    init(_ options: VectorIndexOptions, path: String = ":memory:") throws {
        context = try SQLContext(path: path, flags: [.create, .readWrite])
        try context.exec(sql: tables.createPending)
        for table in tables.createOthers { try context.exec(sql: table.sql) }
        index = try IVFIndex(tables, options, seed: 1, in: context, cache: CellCache())
    }

    /// The same index, as another connection would read it.
    init(_ other: SampleIndex) throws {
        context = other.context
        index = try IVFIndex(
            tables, other.index.options, seed: 1, in: context, cache: CellCache())
    }

    /// An index that exists.
    init(_ options: VectorIndexOptions, opening path: String) throws {
        context = try SQLContext(path: path, flags: .readWrite)
        index = try IVFIndex(tables, options, seed: 1, in: context, cache: CellCache())
    }

    @discardableResult
    func set(_ docid: Int64, _ vector: [Float]) throws -> Bool {
        try vector.withUnsafeBytes { try index.set(docid, $0) }
    }

    func nearest(
        _ vector: [Float], _ limit: Int?, probes: Int? = nil, only: [Int64]? = nil
    ) throws -> NearestVectors {
        try vector.withUnsafeBytes {
            try index.nearest(to: $0, limit: limit, probes: probes, only: only)
        }
    }
}
