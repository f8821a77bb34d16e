import Testing

@testable import BLIP

@Suite("Limits of what is received")
struct LimitTests {
    private static let more = FrameWriter.moreComing

    private func limits(_ change: (inout BLIPLimits) -> Void) -> BLIPLimits {
        var limits = BLIPLimits()
        change(&limits)
        return limits
    }

    /// Receives frames until one is refused because of a limit; returns the number before it.
    private func accepted(
        _ connection: BLIPConnection, most: Int, _ frame: (Int) -> [UInt8]
    ) throws -> Int {
        for index in 0..<most {
            do {
                _ = try connection.receive(frame(index))
                _ = try connection.frames()
            } catch BLIPError.tooLarge {
                return index
            }
        }
        return most
    }

    @Test("A frame that inflates to more than the limit is refused")
    func compressionBomb() throws {
        let zeros = [UInt8](repeating: 0, count: 17 << 20)
        for (length, isAccepted) in [(17 << 20, true), (17 << 20 + 1, false)] {
            var writer = FrameWriter()
            let content = zeros + [UInt8](repeating: 0, count: length - zeros.count)
            let frame = writer.frame(1, FrameWriter.compressed | Self.more, content)
            #expect(frame.count < 20_000)
            let count = try accepted(BLIPConnection(), most: 1) { _ in frame }
            #expect(count == (isAccepted ? 1 : 0))
        }
    }

    @Test("Many frames that inflate a lot end at the limit of a message")
    func repeatedBombs() throws {
        var writer = FrameWriter()
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        let connection = BLIPConnection(limits: limits { $0.message = 5 << 20 })
        let count = try accepted(connection, most: 100) { _ in
            writer.frame(1, FrameWriter.compressed | Self.more, zeros)
        }
        #expect(count == 5)
    }

    @Test("Properties have at most 100 KiB, whatever length is announced")
    func properties() throws {
        for (length, isAccepted) in [(102_400, true), (102_401, false)] {
            let bytes = [UInt8](repeating: 97, count: length - 2) + [0, 0]
            let content = FrameWriter.content(properties: bytes)
            var writer = FrameWriter()
            let frame = writer.frame(1, 0, content)
            #expect(try accepted(BLIPConnection(), most: 1) { _ in frame } == (isAccepted ? 1 : 0))
        }
        for length in [1 << 20, 1 << 32, 1 << 62, 1 << 63, .max] as [UInt64] {
            var writer = FrameWriter()
            let content = FrameWriter.header(length, 0)
            let frame = writer.frame(1, Self.more, content)
            #expect(try accepted(BLIPConnection(), most: 1) { _ in frame } == 0)
        }
    }

    @Test("The bodies of incomplete messages are limited together")
    func incompleteBodies() throws {
        var writer = FrameWriter()
        let connection = BLIPConnection(limits: limits { $0.incompleteMessages = 1_000_000 })
        let content = FrameWriter.content([], body: [UInt8](repeating: 1, count: 1000))
        let count = try accepted(connection, most: 5000) { index in
            writer.frame(UInt64(index + 1), Self.more, content)
        }
        #expect(count >= 990 && count <= 1000)
    }

    @Test("Frames of several messages that never end are limited, in any order")
    func interleavedFrames() throws {
        var writer = FrameWriter()
        let connection = BLIPConnection(limits: limits { $0.incompleteMessages = 1_000_000 })
        let bytes = [UInt8](repeating: 0, count: 1000)
        let count = try accepted(connection, most: 5000) { index in
            writer.frame(UInt64(index % 20 + 1), Self.more, bytes)
        }
        #expect(count >= 990 && count <= 1020)
    }

    @Test("The properties of incomplete messages are limited, too")
    func incompleteProperties() throws {
        var writer = FrameWriter()
        let connection = BLIPConnection(limits: limits { $0.incompleteMessages = 1_000_000 })
        let content = FrameWriter.content(
            properties: [97, 0] + [UInt8](repeating: 97, count: 49_997) + [0])
        let count = try accepted(connection, most: 200) { index in
            writer.frame(UInt64(index + 1), FrameWriter.compressed | Self.more, content)
        }
        #expect(count <= 20)
    }

    @Test("Incomplete responses are limited as requests are")
    func incompleteResponses() throws {
        var writer = FrameWriter()
        let connection = BLIPConnection(limits: limits { $0.incompleteMessages = 1_000_000 })
        for _ in 0..<2000 { connection.send(BLIPMessage()) }
        let content = FrameWriter.content([], body: [UInt8](repeating: 1, count: 1000))
        let count = try accepted(connection, most: 2000) { index in
            writer.frame(UInt64(index + 1), FrameWriter.response | Self.more, content)
        }
        #expect(count >= 990 && count <= 1000)
    }

    @Test("What is complete no longer counts")
    func completeMessages() throws {
        var writer = FrameWriter()
        let connection = BLIPConnection(limits: limits { $0.incompleteMessages = 100_000 })
        let content = FrameWriter.content([], body: [UInt8](repeating: 1, count: 50_000))
        let count = try accepted(connection, most: 200) { index in
            writer.frame(
                UInt64(index / 2 + 1), FrameWriter.noReply | (index % 2 == 0 ? Self.more : 0),
                index % 2 == 0 ? content : [])
        }
        #expect(count == 200)
    }

    @Test("10,000 requests may be open, incomplete or without a response")
    func openRequests() throws {
        for flags in [FrameWriter.request, Self.more, FrameWriter.noReply | Self.more] {
            var writer = FrameWriter()
            let count = try accepted(BLIPConnection(), most: 20_000) { index in
                writer.message(UInt64(index + 1), flags)
            }
            #expect(count == 10_000)
        }
    }

    @Test("Requests without a response have a limit of their bytes; one alone may be larger")
    func openRequestBytes() throws {
        for (size, most) in [(1000, 10), (20_000, 1)] {
            let connection = BLIPConnection(limits: limits { $0.openRequestBytes = 10_000 })
            var writer = FrameWriter()
            let body = [UInt8](repeating: 1, count: size)
            let count = try accepted(connection, most: 100) { index in
                writer.frame(
                    UInt64(index + 1), FrameWriter.request, FrameWriter.content([], body: body))
            }
            #expect(count == most)
        }
    }

    @Test("A response makes space for a request; a request that wants none takes no space")
    func answeredRequests() throws {
        let connection = BLIPConnection(limits: limits { $0.openRequests = 10 })
        var writer = FrameWriter()
        for number in 1...100 {
            for case .request(let request) in try connection.receive(
                writer.message(UInt64(number), number.isMultiple(of: 2) ? FrameWriter.noReply : 0))
            {
                connection.respond(to: request)
            }
        }
        let count = try accepted(connection, most: 100) { index in
            writer.message(UInt64(101 + index), FrameWriter.noReply)
        }
        #expect(count == 100)
    }

    @Test("Acknowledgements, frames without bytes and unknown frames take no space")
    func emptyFrames() throws {
        let connection = BLIPConnection(limits: limits { $0.incompleteMessages = 100 })
        var writer = FrameWriter()
        let count = try accepted(connection, most: 9000) { index in
            switch index % 3 {
            case 0: FrameWriter.acknowledgement(UInt64(index), 4 + UInt64(index % 2), .max)
            case 1: FrameWriter.header(UInt64(index), 7)
            default: writer.frame(1, Self.more, [])
            }
        }
        #expect(count == 9000)
    }

    @Test("A limit has a status and a description")
    func description() {
        #expect(BLIPError.tooLarge("too much").closeCode == 1009)
    }
}
