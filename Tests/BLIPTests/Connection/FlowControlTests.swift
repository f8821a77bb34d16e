import Testing

@testable import BLIP

@Suite("Acknowledgements and the window")
struct FlowControlTests {
    private static let interval = 50_000
    private static let window = 128_000

    private func message(_ length: Int) -> BLIPMessage {
        BLIPMessage(body: [UInt8](repeating: 1, count: length))
    }

    /// The bytes of frames that count, with their checksums and without their headers.
    private func length(_ frames: [SentFrame]) -> Int { frames.map(\.rest.count).reduce(0, +) }

    @Test("Each 50,000 bytes are acknowledged, with the sum of all bytes of the message")
    func interval() throws {
        let receiver = BLIPConnection()
        var writer = FrameWriter()
        var (sum, last) = (0, 0)
        for index in 0..<40 {
            let bytes = [UInt8](repeating: 0, count: 3000 + 500 * index)
            let frame = writer.frame(1, index < 39 ? FrameWriter.moreComing : 0, bytes)
            _ = try receiver.receive(frame)
            sum += bytes.count + 4
            let sent = try receiver.frames()
            if sum - last >= Self.interval {
                let expected = FrameWriter.acknowledgement(
                    1, FrameWriter.requestAcknowledgement, UInt64(sum))
                #expect(sent == [expected], "frame \(index)")
                last = sum
            } else {
                #expect(sent.isEmpty, "frame \(index)")
            }
        }
        #expect(last > 400_000)
    }

    @Test("A message of less than 50,000 bytes is not acknowledged, one more byte is")
    func border() throws {
        for (count, isAcknowledged) in [(Self.interval - 1, false), (Self.interval, true)] {
            let receiver = BLIPConnection()
            var writer = FrameWriter()
            // The checksum counts, the header does not.
            _ = try receiver.receive(writer.frame(1, 0, [UInt8](repeating: 0, count: count - 4)))
            #expect(try receiver.frames().isEmpty != isAcknowledged)
        }
    }

    @Test("Bytes count as they are sent, not as they are decompressed")
    func compressedBytes() throws {
        let receiver = BLIPConnection()
        var writer = FrameWriter()
        let bytes = [UInt8](repeating: 0, count: 1_000_000)
        _ = try receiver.receive(writer.frame(1, FrameWriter.compressed, bytes))
        #expect(try receiver.frames().isEmpty)
    }

    @Test("Frames of a response have acknowledgements of responses")
    func responses() throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        pair.server.respond(to: request, message(60_000))
        try pair.server.deliver(to: pair.client)
        let frames = try pair.client.sentFrames()
        #expect(frames.map(\.flags.rawValue) == [0x35])
        #expect(frames.map(\.number) == [1])
    }

    @Test("A sender stops above 128,000 bytes and goes on after an acknowledgement")
    func window() throws {
        let sender = BLIPConnection()
        sender.send(message(400_000))
        var sent = length(try sender.sentFrames())
        #expect(sent > Self.window && sent <= Self.window + 16_384)
        #expect(try sender.nextFrame() == nil)
        for acknowledged in [60_000, 120_000, 180_000, 300_000, 400_000] {
            let frame = FrameWriter.acknowledgement(
                1, FrameWriter.requestAcknowledgement, UInt64(acknowledged))
            #expect(try sender.receive(frame).isEmpty)
            sent += length(try sender.sentFrames())
            let end = acknowledged + Self.window
            #expect(sent > min(end, 400_000) && sent <= end + 16_384)
        }
        #expect(sent > 400_000 && sent < 400_200)
    }

    @Test("The window ends after a frame with which it is exceeded, not with which it is full")
    func exactWindow() throws {
        let sender = BLIPConnection()
        sender.send(message(400_000))
        let sent = UInt64(length(try sender.sentFrames()))
        // So many bytes that exactly 128,000 are not acknowledged, then one byte less.
        for (acknowledged, goesOn) in [(sent - 128_001, false), (sent - 128_000, true)] {
            let frame = FrameWriter.acknowledgement(
                1, FrameWriter.requestAcknowledgement, acknowledged)
            _ = try sender.receive(frame)
            #expect(try sender.frames().isEmpty != goesOn)
        }
    }

    @Test("Other messages go on while one waits, in both directions")
    func otherMessages() throws {
        let pair = ConnectionPair()
        pair.client.send(message(400_000))
        let waiting = try pair.client.frames()
        pair.client.send(message(100))
        pair.client.send(message(300_000))
        let frames = try pair.client.frames()
        let numbers = try frames.map { try SentFrame($0).number }
        #expect(Set(numbers) == [2, 3])
        for frame in waiting + frames { _ = try pair.server.receive(frame) }
        let requests = try pair.exchange().server.compactMap(\.request)
        #expect(requests.map(\.message.body.count).sorted() == [300_000, 400_000])
    }

    @Test(
        "An acknowledgement that does not fit changes nothing",
        arguments: [
            (2, 4, 60_000), (1, 5, 60_000), (0, 4, 60_000), (1, 4, 0), (1, 4, 100),
            (1, 4, 300_000), (1, 4, .max), (.max, 5, .max),
        ] as [(UInt64, UInt64, UInt64)])
    func ignoredAcknowledgements(number: UInt64, type: UInt64, count: UInt64) throws {
        let sender = BLIPConnection()
        sender.send(message(400_000))
        _ = try sender.frames()
        #expect(try sender.receive(FrameWriter.acknowledgement(number, type, count)).isEmpty)
        #expect(try sender.nextFrame() == nil)
        let right = FrameWriter.acknowledgement(1, FrameWriter.requestAcknowledgement, 100_000)
        _ = try sender.receive(right)
        // A smaller number that comes later is out of date.
        _ = try sender.receive(FrameWriter.acknowledgement(1, 4, 10))
        #expect(length(try sender.sentFrames()) > 90_000)
    }

    @Test("A request and a response of the same number have windows of their own")
    func sameNumber() throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        pair.server.respond(to: request, message(400_000))
        pair.server.send(message(400_000))
        _ = try pair.server.frames()
        let response = FrameWriter.acknowledgement(
            1, FrameWriter.responseAcknowledgement, 100_000)
        _ = try pair.server.receive(response)
        let frames = try pair.server.sentFrames()
        #expect(!frames.isEmpty && frames.allSatisfy { $0.flags.type == .response })
    }

    @Test("An acknowledgement of one does not count for the other before they wait, either")
    func sameNumberWhileSending() throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        pair.server.send(message(400_000))
        pair.server.respond(to: request, message(400_000))
        var frames = try (0..<8).compactMap { _ in try pair.server.nextFrame() }.map(SentFrame.init)
        let response = FrameWriter.acknowledgement(1, FrameWriter.responseAcknowledgement, 60_000)
        _ = try pair.server.receive(response)
        frames += try pair.server.sentFrames()
        let (requests, responses) = (
            frames.filter { $0.flags.type == .request },
            frames.filter { $0.flags.type == .response }
        )
        #expect(length(requests) > Self.window && length(requests) <= Self.window + 16_384)
        #expect(length(responses) > Self.window + 60_000)
    }
}
