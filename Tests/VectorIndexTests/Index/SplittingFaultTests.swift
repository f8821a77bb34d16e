import SQLCore
import SampleData
import StoreTestSupport
import Testing
import VectorIndex

@Suite("A vector index whose cells are divided, and faults of the disk")
struct SplittingFaultTests {
    private static let options = VectorIndexOptions(dimensions: 4)
    private static let (before, added) = (5000, 120)

    /// Vectors in groups; the new ones are all near one point.
    private static func fill(_ path: String) throws {
        let sample = try SampleIndex(options, path: path)
        var source = SampleVectors(dimensions: 4, rank: 2, seed: 21)
        try sample.context.transaction {
            for docid in 1...Int64(before) { try sample.set(docid, source.next()) }
            try sample.index.buildCells()
        }
    }

    private static func add(to sample: SampleIndex) throws {
        try sample.context.transaction {
            for number in 1...added {
                try sample.set(
                    Int64(before + number), [1, 1, Float(number) / 1000, Float(number % 7) / 1000])
            }
        }
    }

    @Test("is as before, or as after, and whole")
    func faults() throws {
        let directory = try TemporaryDirectory()
        let template = directory("index.db")
        try Self.fill(template)
        var divided = 0
        var sweep = FaultSweep(stride: 9)
        sweep.tearsWrites = true
        sweep.spaces = [0, 8192]
        let summary = try sweep.run(copying: template) { round in
            let sample = try SampleIndex(Self.options, opening: round("index.db"))
            let cells = try sample.index.cellCount()
            do {
                try Self.add(to: sample)
            } catch {
                // The cells in memory are those of the file again.
                let found = try? sample.nearest([1, 1, 0, 0], 3).documents
                #expect(found?.allSatisfy { $0.docid <= Self.before } ?? true, "\(round)")
                throw error
            }
            divided = try sample.index.cellCount() - cells
        } check: { round in
            let sample = try SampleIndex(Self.options, opening: round("index.db"))
            #expect(try sample.index.damage().isEmpty, "\(round)")
            let count = try sample.index.count()
            let all = Self.before + Self.added
            #expect(round.error == nil ? count == all : [Self.before, all].contains(count))
            #expect(try sample.nearest([1, 1, 0.06, 0], 3).documents.count == 3)
        }
        #expect(divided > 0, "no cell was divided")
        #expect(summary.faults > 20 && summary.operations[.write, default: 0] > 0)
    }
}
