import SampleData
import Testing

@testable import BLIP

@Suite("Cutting messages into frames")
struct FrameSplittingTests {
    private static let limit = 16_384

    private func random(_ count: Int) -> [UInt8] {
        var random = SeededGenerator(seed: 1)
        return random.bytes(count)
    }

    @Test("An empty message is one frame, with the length 0 of its properties")
    func emptyMessage() throws {
        let sender = BLIPConnection()
        #expect(sender.send(BLIPMessage()) == 1)
        let frames = try sender.sentFrames()
        #expect(frames.count == 1)
        #expect(frames.first?.content == [0])
        #expect(frames.first?.isLast == true)
        #expect(try sender.nextFrame() == nil)
    }

    @Test(
        "A frame has at most 16,384 bytes; only the last one says that no more follow",
        arguments: [[], .compressed, [.compressed, .urgent]] as [BLIPSendOptions])
    func frameLength(options: BLIPSendOptions) throws {
        let sender = BLIPConnection()
        let message = BLIPMessage(["Profile": "rev"], body: random(100_000))
        sender.send(message, options)
        let bytes = try sender.frames()
        let frames = try bytes.map(SentFrame.init)
        #expect(frames.allSatisfy { $0.length <= Self.limit && $0.number == 1 })
        // Most of the space is used.
        #expect(frames.dropLast().allSatisfy { $0.length > Self.limit - 100 })
        #expect(frames.map(\.isLast) == frames.indices.map { $0 == frames.count - 1 })
        #expect(frames.allSatisfy { $0.flags.contains(.compressed) == !options.isEmpty })
        let receiver = BLIPConnection()
        let events = try bytes.flatMap { try receiver.receive($0) }
        #expect(events.compactMap(\.request).map(\.message) == [message])
    }

    @Test(
        "Every length about that of a frame arrives",
        arguments: [[], .compressed] as [BLIPSendOptions])
    func borders(options: BLIPSendOptions) throws {
        let (sender, receiver) = (BLIPConnection(), BLIPConnection())
        let bytes = random(2 * Self.limit)
        for length in [Self.limit - 80..<Self.limit + 8, 2 * Self.limit - 100..<2 * Self.limit]
            .joined()
        {
            sender.send(BLIPMessage(body: Array(bytes[..<length])), options)
            let events = try sender.deliver(to: receiver)
            #expect(events.first?.request?.message.body.count == length)
            _ = try receiver.frames()
        }
    }

    @Test("The properties may extend over several frames")
    func longProperties() throws {
        let value = String(repeating: "ü", count: 40_000)
        let message = BLIPMessage(["Profile": "rev", "history": value], body: [1, 2, 3])
        let pair = ConnectionPair()
        #expect(try pair.request(message).message == message)
    }

    @Test("Received properties may extend over frames of a byte each")
    func bytewiseProperties() throws {
        let properties = [("Profile", "x"), ("long", String(repeating: "y", count: 200))]
        let content = FrameWriter.content(properties, body: [1])
        let receiver = BLIPConnection()
        var writer = FrameWriter()
        for (index, byte) in content.enumerated() {
            let flags = index < content.count - 1 ? FrameWriter.moreComing : 0
            let events = try receiver.receive(writer.frame(1, flags, [byte]))
            #expect(events.count == (index < content.count - 1 ? 0 : 1))
            guard let message = events.first?.request?.message else { continue }
            #expect(message == BLIPMessage(["Profile": "x", "long": properties[1].1], body: [1]))
        }
    }

    @Test("A frame may inflate to more than 16 KiB, and one without bytes changes nothing")
    func unusualFrames() throws {
        let receiver = BLIPConnection()
        var writer = FrameWriter()
        let body = [UInt8](repeating: 0x61, count: 1_000_117)
        let flags = FrameWriter.compressed | FrameWriter.moreComing
        let frame = writer.frame(1, flags, FrameWriter.content([], body: body))
        #expect(frame.count < Self.limit)
        #expect(try receiver.receive(frame).isEmpty)
        #expect(try receiver.receive(writer.frame(1, FrameWriter.moreComing, [])).isEmpty)
        let events = try receiver.receive(writer.frame(1, FrameWriter.request, []))
        #expect(events.first?.request?.message.body == body)
    }

    @Test("The level 0 compresses nothing, and the others differ in size alone", arguments: 0...9)
    func compressionLevels(level: Int32) throws {
        let body = Array(repeating: Array("The level of compression. ".utf8), count: 2000)
            .flatMap(\.self)
        let sender = BLIPConnection(compressionLevel: level)
        sender.send(BLIPMessage(body: body), .compressed)
        let bytes = try sender.frames()
        let frames = try bytes.map(SentFrame.init)
        #expect(frames.allSatisfy { $0.flags.contains(.compressed) == (level > 0) })
        #expect((bytes.map(\.count).reduce(0, +) < body.count / 10) == (level > 0))
        let receiver = BLIPConnection(compressionLevel: 0)
        let events = try bytes.flatMap { try receiver.receive($0) }
        #expect(events.first?.request?.message.body == body)
    }
}
