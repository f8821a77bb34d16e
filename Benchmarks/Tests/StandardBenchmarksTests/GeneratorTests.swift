import Foundation
import SampleData
import Testing

@testable import StandardBenchmarks

@Suite("A zipfian distribution")
struct ZipfianGeneratorTests {
    @Test("has a normalizing constant that the direct sum confirms", arguments: [2, 10, 1_000_000])
    func zeta(count: Int) {
        let sum = (1...count).reversed().reduce(0.0) { $0 + pow(Double($1), -0.99) }
        #expect(abs(ZipfianGenerator.zeta(count, 0.99) - sum) < 1e-9 * sum)
    }

    @Test("over ten billion numbers has the constant that is known for YCSB")
    func zetaOfScrambledSpace() {
        let zeta = ZipfianGenerator.zeta(RecordChooser.scrambledSpace, 0.99)
        #expect(abs(zeta - 26.469028) < 1e-5)
    }

    @Test("draws each of the most popular numbers as often as it should")
    func frequencies() {
        let generator = ZipfianGenerator(count: 1000)
        var random = SeededGenerator(seed: 1)
        var counts = Array(repeating: 0, count: 1000)
        let draws = 400_000
        for _ in 0..<draws { counts[generator.next(&random)] += 1 }
        #expect(counts.reduce(0, +) == draws)
        for number in 0..<2 {
            let expected = generator.probability(of: number) * Double(draws)
            #expect(abs(Double(counts[number]) - expected) < 5 * expected.squareRoot())
        }
        // The others are an approximation, which draws the first of them too often.
        for range in [2..<10, 10..<100, 100..<1000] {
            let found = Double(counts[range].reduce(0, +))
            let expected = range.reduce(0) { $0 + generator.probability(of: $1) } * Double(draws)
            #expect(abs(found / expected - 1) < 0.1, "\(range): \(found), not \(expected)")
        }
    }

    @Test("draws only numbers below the count", arguments: [2, 3, 10])
    func bounds(count: Int) {
        let generator = ZipfianGenerator(count: count)
        var random = SeededGenerator(seed: 2)
        var seen: Set<Int> = []
        for _ in 0..<10_000 { seen.insert(generator.next(&random)) }
        #expect(seen == Set(0..<count))
    }
}

@Suite("Records are chosen")
struct RecordChooserTests {
    @Test("the same for the same seed, and others for another")
    func seeds() {
        let draw = { (seed: UInt64) in
            var random = SeededGenerator(seed: seed)
            let chooser = RecordChooser(.scrambledZipfian, count: 1000)
            return (0..<100).map { _ in chooser.next(&random) }
        }
        #expect(draw(1) == draw(1))
        #expect(draw(1) != draw(2))
    }

    @Test("with popular ones scattered over all numbers")
    func scrambled() {
        let chooser = RecordChooser(.scrambledZipfian, count: 1000)
        var random = SeededGenerator(seed: 3)
        var counts = Array(repeating: 0, count: 1000)
        for _ in 0..<100_000 { counts[chooser.next(&random)] += 1 }
        let popular = counts.indices.sorted { counts[$0] > counts[$1] }.prefix(10)
        // The most popular one has 1 / zeta of all, 3.8 %; so has no neighbor.
        let most = Int(RecordKey.hash(0) % 1000)
        #expect(popular.first == most)
        #expect(abs(Double(counts[most]) / 100_000 - 1 / 26.469) < 0.005)
        #expect(popular.max()! - popular.min()! > 300)
        #expect(counts.count { $0 > 0 } > 950)
    }

    @Test("the latest most often, those inserted by the thread first")
    func latest() {
        let chooser = RecordChooser(.latest, count: 1000)
        var random = SeededGenerator(seed: 4)
        var counts: [Int: Int] = [:]
        for _ in 0..<100_000 {
            counts[chooser.next(&random, inserted: [1000, 1002]), default: 0] += 1
        }
        #expect(counts.max { $0.value < $1.value }?.key == 1002)
        #expect((counts[1000] ?? 0) > (counts[999] ?? 0))
        #expect((counts[999] ?? 0) > (counts[900] ?? 0))
        #expect(counts[1001] == nil)
        #expect(counts.keys.allSatisfy { $0 >= 0 })
    }
}

@Suite("A record")
struct FieldRecordTests {
    @Test("has ten fields of a hundred characters that need no escape, the same each time")
    func fields() throws {
        let record = FieldRecord(number: 12)
        #expect(record.fields.count == 10)
        #expect(record.fields.allSatisfy { $0.utf8.count == 100 })
        #expect(record == FieldRecord(number: 12))
        #expect(Set(record.fields).count == 10)
        #expect(record.bytes.count == 1000)
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        #expect(record.fields.joined().allSatisfy(allowed.contains))
    }

    @Test("has a key with the published hash of its number")
    func hash() {
        // FNV-1a of eight zero bytes.
        #expect(RecordKey.hash(0) == 0xA8C7_F832_281A_39C5)
        #expect(Set((0..<100_000).map(RecordKey.key)).count == 100_000)
    }
}
