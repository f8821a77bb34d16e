import Foundation
import ProjectTestSupport
import SampleData
import Testing

@testable import BLIP

/// For any frames, a connection returns messages or throws `BLIPError`; it does not trap, and holds
/// messages of no more than its limits.
///
/// The environment variable `STORE_FUZZ_INPUTS` sets the number of inputs of each test, which are
/// sequences of frames, and `STORE_SEED` where they begin; a debug build takes a minute for 20,000.
@Suite("Fuzz: frames", .timeLimit(.minutes(60)))
struct FrameFuzzTests {
    private static let inputs: Int = {
        let chosen = ProcessInfo.processInfo.environment["STORE_FUZZ_INPUTS"].flatMap { Int($0) }
        return chosen ?? 1200
    }()

    @Test("Mutated frames of generated messages are read or refused")
    func generated() throws {
        try run("generated", FuzzFrames.generated(), refused: 0)
    }

    @Test("Mutated frames of LiteCore are read or refused", .enabled(if: GoldenFiles.arePresent))
    func recorded() throws {
        try run("recorded", FuzzFrames.recorded(), refused: FuzzFrames.refusedRecordings)
    }

    private func run(_ name: String, _ sequences: [FuzzFrames], refused: Int) throws {
        // That the sequences themselves are accepted shows that it is mutations that are refused.
        var unchanged = FuzzRun.Counts()
        for sequence in sequences {
            var run = FuzzRun(sequence, random: SeededGenerator(seed: 0))
            try run.receive(sequence.frames)
            unchanged.add(run.counts)
        }
        #expect(unchanged.refused == refused && unchanged.messages > 200)
        var counts = FuzzRun.Counts()
        for index in 0..<Self.inputs {
            let seed = SeededGenerator.testSeed &+ UInt64(index)
            var random = SeededGenerator(seed: seed)
            let sequence = random.pick(sequences)
            let frames = sequence.mutated(sequences, &random)
            var run = FuzzRun(sequence, random: random)
            try run.receive(frames)
            #expect(run.problems.isEmpty, "STORE_SEED=\(seed), \(name): \(run.problems)")
            counts.add(run.counts)
        }
        print("FrameFuzzTests, \(name): \(counts)")
        // If nearly all or nearly none were refused, the inputs would test nothing.
        #expect(counts.refused > Self.inputs / 4 && counts.refused < Self.inputs)
        #expect(counts.messages > Self.inputs)
        #expect(counts.reasons.count > 5)
    }
}

/// A connection that receives the frames of an input, and uses what it receives.
private struct FuzzRun {
    struct Counts: CustomStringConvertible {
        var refused = 0
        var messages = 0
        /// How often which error was thrown, without its numbers.
        var reasons: [String: Int] = [:]

        mutating func add(_ other: Counts) {
            refused += other.refused
            messages += other.messages
            reasons.merge(other.reasons, uniquingKeysWith: +)
        }

        var description: String { "\(messages) messages, \(refused) refused: \(reasons)" }
    }

    private(set) var counts = Counts()
    private(set) var problems: [String] = []
    private let connection: BLIPConnection
    private let limits: BLIPLimits
    private var random: SeededGenerator
    private var requests: Set<UInt64> = []
    private var responses: Set<UInt64> = []

    init(_ sequence: FuzzFrames, random: SeededGenerator) {
        var limits = BLIPLimits()
        limits.frame = 1_100_000
        limits.message = 2_000_000
        limits.incompleteMessages = 3_000_000
        limits.openRequests = 600
        self.limits = limits
        self.random = random
        connection = BLIPConnection(limits: limits, compressionLevel: 1)
        for number in 0..<sequence.sentRequests {
            let isStreamed = self.random.oneIn(4)
            connection.send(
                BLIPMessage(body: number == 0 ? [UInt8](repeating: 1, count: 200_000) : []),
                isStreamed ? .streamedResponse : [])
        }
    }

    mutating func receive(_ frames: [[UInt8]]) throws {
        for frame in frames {
            do {
                for event in try connection.receive(frame) { receive(event) }
            } catch let error as BLIPError {
                counts.refused = 1
                let reason = error.description.filter { !$0.isNumber }
                counts.reasons[reason, default: 0] += 1
                // A caller that goes on anyway must not trap either.
                guard random.oneIn(3) else { return }
            }
            guard random.oneIn(4) else { continue }
            for frame in try connection.frames() where frame.count > 16_384 {
                problems.append("a frame has \(frame.count) bytes")
            }
        }
    }

    private mutating func receive(_ event: BLIPEvent) {
        counts.messages += 1
        switch event {
        case .request(let request):
            check(request.message)
            if !requests.insert(request.number).inserted { problems.append("a request repeats") }
            guard random.oneIn(2) else { return }
            connection.respond(to: request, request.message, .compressed)
        case .response(let number, let message):
            check(message)
            if !responses.insert(number).inserted { problems.append("a response repeats") }
        case .failure(let number, let error):
            if error.message.utf8.count > 3 * limits.message { problems.append("a long error") }
            if !responses.insert(number).inserted { problems.append("a response repeats") }
        case .part(let part):
            if part.bytes.count > limits.frame + limits.properties { problems.append("a part") }
            if random.oneIn(2) { connection.didUse(part) }
        }
    }

    private mutating func check(_ message: BLIPMessage) {
        if message.body.count > limits.message { problems.append("a message is too long") }
    }
}
