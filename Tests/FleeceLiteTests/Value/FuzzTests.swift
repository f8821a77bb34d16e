import Foundation
import SampleData
import Testing

/// For any bytes, calls do not trap, hang, or contradict each other.
///
/// The environment variable `STORE_FUZZ_INPUTS` sets the number of inputs; a debug build takes a
/// minute for a million.
@Suite("Fuzz: documents", .timeLimit(.minutes(20)))
struct FuzzTests {
    static let chunks = 8

    private static let inputs: Int = {
        let chosen = ProcessInfo.processInfo.environment["STORE_FUZZ_INPUTS"].flatMap { Int($0) }
        return chosen ?? 200_000
    }()

    @Test("Random bytes and mutated documents are read or rejected", arguments: 0..<chunks)
    func documents(chunk: Int) throws {
        var random = SeededGenerator(for: "Fuzz, chunk \(chunk)")
        for _ in 0..<chunk { random = SeededGenerator(seed: random.next()) }
        let count = Self.inputs / Self.chunks
        let isLong = Self.inputs > 1_000_000
        var inputs = FuzzInputs(
            random: random,
            documents: try FuzzInputs.ownDocuments()
                + FuzzInputs.goldenDocuments(size: isLong ? 10_000 : 100))
        var run = try FuzzRun()
        for _ in 0..<count { run.take(inputs.next()) }
        let (counts, contradictions) = (run.counts, run.contradictions)
        #expect(contradictions.isEmpty, "\(contradictions.joined(separator: "\n"))")
        // If nearly all or nearly none were rejected, the inputs would test nothing.
        #expect(counts.opened > count / 3)
        #expect(counts.valid > count / 10 && counts.valid < count / 2)
        #expect(counts.strict > count / 20 && counts.strict < counts.valid)
        #expect(counts.copied > counts.strict)
        #expect(counts.written > counts.strict)
        print("Fuzz, chunk \(chunk): \(count), \(counts)")
    }
}
