import SampleData
import Testing

@testable import BLIP

@Suite("Responses from a source")
struct ResponseSourceTests {
    /// Bytes that are read in parts, and how many were.
    private final class Source {
        let bytes: [UInt8]
        private let lengths: [Int]
        private(set) var position = 0
        private var calls = 0

        init(_ bytes: [UInt8], lengths: [Int]) {
            self.bytes = bytes
            self.lengths = lengths
        }

        func next() -> [UInt8]? {
            guard position < bytes.count else { return nil }
            let end = min(position + lengths[calls % lengths.count], bytes.count)
            calls += 1
            defer { position = end }
            return Array(bytes[position..<end])
        }
    }

    private struct Failure: Error {}

    @Test(
        "The body is followed by what the source returns",
        arguments: [[1_000_000], [16_363], [4096], [1, 20_000], [0, 1000, 0]],
        [[], .compressed] as [BLIPSendOptions])
    func parts(lengths: [Int], options: BLIPSendOptions) throws {
        var random = SeededGenerator(seed: 4)
        for length in [0, 1, 16_000, 100_000] {
            let source = Source(random.bytes(length), lengths: lengths)
            let bytes = Source(random.bytes(length), lengths: [length])
            let body = bytes.next() ?? []
            let pair = ConnectionPair()
            let request = try pair.request()
            pair.server.respond(
                to: request, BLIPMessage(["a": "b"], body: body), options, source: source.next)
            let expected = BLIPMessage(["a": "b"], body: body + source.bytes)
            #expect(try pair.exchange().client.first?.response?.message == expected)
        }
    }

    @Test("Bytes that end with a frame, or about there, arrive", arguments: [1, 2])
    func borders(frames: Int) throws {
        let pair = ConnectionPair()
        // With single bytes each length is reached, also that of a frame with more to follow.
        let lengths = [16_300] + [Int](repeating: 1, count: 80)
        for options in [[], .compressed] as [BLIPSendOptions] {
            for length in (frames * 16_320)..<(frames * 16_370) {
                let source = Source([UInt8](repeating: 1, count: length), lengths: lengths)
                let request = try pair.request()
                pair.server.respond(to: request, BLIPMessage(), options, source: source.next)
                let sent = try pair.server.frames()
                let events = try sent.flatMap { try pair.client.receive($0) }
                #expect(events.first?.response?.message.body == source.bytes, "\(length) bytes")
                // No frame is empty, as compressed ones must not be.
                #expect(try sent.allSatisfy { try !SentFrame($0).content.isEmpty })
            }
        }
    }

    @Test("It is read for the next frame alone, and not while the response waits")
    func laziness() throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        let source = Source([UInt8](repeating: 1, count: 1_000_000), lengths: [10_000])
        pair.server.respond(to: request, BLIPMessage(), source: source.next)
        #expect(source.position == 0)
        var sent = 0
        while let frame = try pair.server.nextFrame() {
            sent += try SentFrame(frame).content.count
            #expect(source.position <= sent + 20_000)
        }
        #expect(sent < 150_000)
        _ = try pair.server.receive(
            FrameWriter.acknowledgement(1, FrameWriter.responseAcknowledgement, 50_000))
        #expect(try !pair.server.frames().isEmpty)
        #expect(source.position < 210_000)
    }

    @Test("Frames of responses from sources alternate with others")
    func alternation() throws {
        let pair = ConnectionPair()
        for _ in 0..<3 {
            let request = try pair.request()
            let source = Source([UInt8](repeating: 1, count: 40_000), lengths: [5000])
            pair.server.respond(to: request, BLIPMessage(), source: source.next)
        }
        let numbers = try pair.server.sentFrames().map(\.number)
        #expect(numbers == [1, 2, 3, 1, 2, 3, 1, 2, 3])
    }

    @Test("Its error is thrown by nextFrame")
    func failure() throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        let source = Source([UInt8](repeating: 1, count: 40_000), lengths: [40_000])
        pair.server.respond(to: request, BLIPMessage()) {
            guard let part = source.next() else { throw Failure() }
            return part
        }
        #expect(throws: Failure.self) { try pair.server.frames() }
    }

    @Test("A source of large parts is sent, and received in parts")
    func streaming() throws {
        let pair = ConnectionPair()
        let request = try pair.request(BLIPMessage(), .streamedResponse)
        var random = SeededGenerator(seed: 5)
        let source = Source(random.compressibleBytes(3_000_000), lengths: [65_536])
        pair.server.respond(to: request, BLIPMessage(), .compressed, source: source.next)
        var received: [UInt8] = []
        var isComplete = false
        while !isComplete {
            let events = try pair.exchange().client
            try #require(!events.isEmpty)
            for event in events {
                if let part = event.part {
                    received += part.bytes
                    pair.client.didUse(part)
                }
                isComplete = isComplete || event.response != nil
            }
        }
        #expect(received == source.bytes)
    }
}
