import ProjectTestSupport
import SampleData

@testable import BLIP

/// The frames that one side of a connection sends, to be mutated.
struct FuzzFrames {
    /// The frames.
    let frames: [[UInt8]]
    /// The number of requests that the receiver sent before, so that responses are accepted.
    let sentRequests: Int

    /// The most frames of an input; those of a longer recording are cut.
    private static let limit = 40

    private init(_ frames: [[UInt8]]) {
        self.frames = Array(frames.prefix(Self.limit))
        sentRequests =
            self.frames.compactMap { try? SentFrame($0) }
            .filter { $0.flags.type == .response || $0.flags.type == .errorResponse }
            .map { Int($0.number) }.max() ?? 0
    }

    /// How many of the recordings have a frame that is refused: those of rt_probe_frames, except a
    /// response without a request, as `sentRequests` counts that one.
    static let refusedRecordings = 7

    /// What both sides of some recordings sent.
    static func recorded() throws -> [FuzzFrames] {
        let scenarios = [
            "rt_push3", "vv_pull3", "rt_conflict_both", "vv_pushpull", "rt_blob_big",
            "rt_probe_frames", "vv_delta_push", "rt_large_pull", "rt_no_compression",
        ]
        return try scenarios.flatMap { scenario in
            try ReplicationRecording(scenario).connections.flatMap { connection in
                [ReplicationRecording.Side.active, .passive].map { side in
                    connection.messages.filter { $0.isBLIP && $0.side == side }.map(\.payload)
                }
            }
        }.filter { !$0.isEmpty }.map(FuzzFrames.init)
    }

    /// What connections send of random messages.
    static func generated() throws -> [FuzzFrames] {
        var random = SeededGenerator(seed: SeededGenerator.testSeed)
        return try (0..<30).flatMap { _ in
            let pair = ConnectionPair()
            var frames: (client: [[UInt8]], server: [[UInt8]]) = ([], [])
            for _ in 0..<4 {
                pair.client.send(message(&random), options(&random))
                pair.server.send(message(&random), options(&random))
            }
            for _ in 0..<10 {
                let (client, server) = (try pair.client.frames(), try pair.server.frames())
                frames.client += client
                frames.server += server
                for case .request(let request) in try client.flatMap(pair.server.receive) {
                    pair.server.respond(to: request, message(&random), options(&random))
                }
                for case .request(let request) in try server.flatMap(pair.client.receive) {
                    pair.client.respond(to: request, BLIPErrorResponse("HTTP", 404, "missing"))
                }
            }
            return [FuzzFrames(frames.client), FuzzFrames(frames.server)]
        }
    }

    private static func message(_ random: inout SeededGenerator) -> BLIPMessage {
        let length = random.below(random.pick([2, 100, 40_000, 160_000]))
        return BLIPMessage(
            ["Profile": "rev", "id": "ü"],
            body: random.oneIn(2) ? random.bytes(length) : random.compressibleBytes(length))
    }

    private static func options(_ random: inout SeededGenerator) -> BLIPSendOptions {
        let all: [BLIPSendOptions] = [.compressed, .urgent, .noReply]
        return BLIPSendOptions(all.filter { _ in random.oneIn(3) })
    }
}

// Mutations.
extension FuzzFrames {
    /// The frames with some changes: of the bytes on the wire, or of what is in the frames.
    func mutated(_ others: [FuzzFrames], _ random: inout SeededGenerator) -> [[UInt8]] {
        random.oneIn(2) ? mutatedWire(others, &random) : mutatedContent(&random)
    }

    private func mutatedWire(
        _ others: [FuzzFrames], _ random: inout SeededGenerator
    ) -> [[UInt8]] {
        var frames = frames
        for _ in 0...random.below(4) {
            guard !frames.isEmpty else { return frames }
            let index = random.below(frames.count)
            switch random.below(8) {
            case 0: frames.insert(frames[index], at: random.below(frames.count + 1))
            case 1: frames.remove(at: index)
            case 2: frames.swapAt(index, random.below(frames.count))
            case 3: frames[index] = splice(frames[index], random.pick(frames), &random)
            case 4:
                let other = random.pick(random.pick(others).frames)
                frames[index] = splice(frames[index], other, &random)
            case 5: frames.insert(random.bytes(random.below(50)), at: index)
            default: frames[index] = changed(frames[index], &random)
            }
        }
        return frames
    }

    private func splice(
        _ first: [UInt8], _ second: [UInt8], _ random: inout SeededGenerator
    ) -> [UInt8] {
        Array(first.prefix(random.below(first.count + 1)))
            + second.suffix(random.below(second.count + 1))
    }

    private func changed(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        guard !bytes.isEmpty else { return [UInt8(random.below(256))] }
        // The header, and the length of the properties, are where most depends on a bit.
        let range = random.oneIn(2) ? min(bytes.count, 6) : bytes.count
        switch random.below(4) {
        case 0: bytes.removeLast(random.below(bytes.count))
        case 1: bytes.insert(contentsOf: random.bytes(1 + random.below(8)), at: random.below(range))
        case 2: bytes[random.below(range)] = random.pick([0, 0x7F, 0x80, 0xFF])
        default: bytes[random.below(range)] ^= 1 << UInt8(random.below(8))
        }
        return bytes
    }

    /// Frames with right checksums, so that what is mutated in them is looked at.
    private func mutatedContent(_ random: inout SeededGenerator) -> [[UInt8]] {
        var writer = FrameWriter()
        let receiver = FrameReceiverOfMutations()
        let chosen = random.below(frames.count)
        return frames.enumerated().map { index, bytes in
            guard let frame = try? SentFrame(bytes), let content = receiver.content(bytes) else {
                return bytes
            }
            var (number, flags) = (frame.number, frame.flags.rawValue)
            var mutated = content
            if index == chosen || random.oneIn(20) {
                switch random.below(5) {
                case 0: number = random.pick([0, 1, number + 1, 1 << 63, .max])
                case 1: flags ^= 1 << UInt64(random.below(8))
                case 2: flags = UInt64(random.below(256))
                default: mutated = changed(content, &random)
                }
            }
            let garbage = random.oneIn(50) ? random.bytes(random.below(20)) : nil
            guard let garbage else { return writer.frame(number, flags, mutated) }
            return writer.frame(number, flags, compressed: garbage, of: mutated)
        }
    }
}

/// Reads what is in the frames of a sequence.
private final class FrameReceiverOfMutations {
    private var receiver = FrameReceiver(BLIPLimits())

    /// The bytes of a message; nil of other and of bad frames.
    func content(_ frame: [UInt8]) -> [UInt8]? {
        let received = try? frame.withUnsafeBytes { try receiver.receive($0) }
        if case .part(_, _, let bytes, _) = received { return bytes }
        return nil
    }
}
