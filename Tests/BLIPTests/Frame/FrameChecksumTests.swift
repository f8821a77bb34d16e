import SampleData
import Testing

@testable import BLIP

@Suite("Checksums of frames")
struct FrameChecksumTests {
    /// The first frame of the passive side of the recording rt_push3, and how the next one begins.
    @Test("The recorded response to getCollections is sent with the recorded checksum")
    func recordedResponse() throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        pair.server.respond(to: request, BLIPMessage(body: Array("[{}]".utf8)))
        let frames = try pair.server.frames()
        #expect(
            frames == [[0x01, 0x01, 0x00, 0x5B, 0x7B, 0x7D, 0x5D, 0x0D, 0xC1, 0xD2, 0xFD]])
        let events = try frames.flatMap { try pair.client.receive($0) }
        #expect(events.first?.response?.message.body == Array("[{}]".utf8))
    }

    @Test("The value continues over the frames of a direction, without acknowledgements")
    func running() throws {
        let sender = BLIPConnection()
        sender.send(BLIPMessage(["Profile": "a"]))
        sender.send(BLIPMessage())
        var writer = FrameWriter()
        let first = writer.message(1, FrameWriter.request, [("Profile", "a")])
        let second = writer.message(2, FrameWriter.request)
        #expect(try sender.nextFrame() == first)
        // What it receives, and acknowledges, belongs to the other direction.
        var other = FrameWriter()
        let long = FrameWriter.content([], body: [UInt8](repeating: 1, count: 60_000))
        _ = try sender.receive(other.frame(1, FrameWriter.request, long))
        let acknowledgement = FrameWriter.acknowledgement(
            1, FrameWriter.requestAcknowledgement, 60_005)
        #expect(try sender.frames() == [acknowledgement, second])
    }

    @Test("It is that of the bytes before compression, also of frames in between")
    func compression() throws {
        let sender = BLIPConnection()
        var random = SeededGenerator(seed: 2)
        let body = random.bytes(1000)
        sender.send(BLIPMessage(body: body), .compressed)
        sender.send(BLIPMessage(body: body))
        sender.send(BLIPMessage(body: body), .compressed)
        var writer = FrameWriter()
        let expected = [FrameWriter.compressed, 0, FrameWriter.compressed].enumerated().map {
            writer.message(UInt64($0 + 1), $1, body: body)
        }
        let frames = try sender.frames()
        #expect(frames.map { $0.suffix(4) } == expected.map { $0.suffix(4) })
        #expect(frames[1] == expected[1])
        // The second compressed frame refers to the bytes of the first one.
        #expect(frames[2].count < frames[0].count / 4)
    }

    @Test("A bit that differs in any byte is noticed", arguments: 2..<11)
    func changes(index: Int) throws {
        let receiver = BLIPConnection()
        var writer = FrameWriter()
        var frame = writer.message(1, FrameWriter.request, body: Array("[{}]".utf8))
        #expect(frame.count == 11)
        frame[index] ^= 0x10
        let error = #expect(throws: BLIPError.self) { try receiver.receive(frame) }
        #expect(error?.closeCode == 1011)
    }
}
