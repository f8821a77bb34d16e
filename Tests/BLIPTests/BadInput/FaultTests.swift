import Testing

@testable import BLIP

/// Each fault of a frame, and how LiteCore reacts: it closes the connection with the status 1011,
/// or ignores the frame.
@Suite("Faults of received frames")
struct FaultTests {
    /// Sends a frame to a connection that sent two requests, the second of which wants no response,
    /// and received one.
    private func receive(_ frame: (inout FrameWriter) -> [UInt8]) throws -> [BLIPEvent] {
        var writer = FrameWriter()
        return try connection(&writer).receive(frame(&writer))
    }

    private func connection(_ writer: inout FrameWriter) throws -> BLIPConnection {
        let connection = BLIPConnection()
        connection.send(BLIPMessage())
        connection.send(BLIPMessage(), .noReply)
        _ = try connection.frames()
        _ = try connection.receive(writer.message(1, FrameWriter.request))
        return connection
    }

    private func expectRefused(
        _ comment: Comment, _ frame: (inout FrameWriter) -> [UInt8]
    ) {
        let error = #expect(throws: BLIPError.self, comment) { try receive(frame) }
        #expect(error?.closeCode == 1011, comment)
    }

    @Test("A header that is empty, incomplete or too long is refused")
    func headers() {
        let headers: [[UInt8]] = [
            [], [0x02], [0x82], [0x02, 0x80], [UInt8](repeating: 0xFF, count: 12),
            [0x02] + [UInt8](repeating: 0x80, count: 12),
        ]
        for header in headers { expectRefused("\(header)") { _ in header } }
    }

    @Test("A frame without a checksum, or with a wrong one, is refused")
    func checksums() {
        for count in 0..<4 {
            expectRefused("\(count) bytes") { _ in [2, 0] + [UInt8](repeating: 0, count: count) }
        }
        expectRefused("wrong") { writer in
            var frame = writer.message(2, FrameWriter.request)
            frame[frame.count - 1] ^= 1
            return frame
        }
        expectRefused("the start of another direction") { _ in
            var other = FrameWriter()
            return other.message(2, FrameWriter.request, [("a", "b")])
        }
        expectRefused("compressed") { writer in
            var frame = writer.message(2, FrameWriter.compressed)
            frame[frame.count - 4] ^= 0x80
            return frame
        }
    }

    @Test("The number of a request has to be the next one", arguments: [0, 1, 3, 1 << 63, .max])
    func requestNumbers(number: UInt64) {
        expectRefused("\(number)") { $0.message(number, FrameWriter.request) }
        let flags = FrameWriter.noReply | FrameWriter.moreComing
        expectRefused("\(number)") { $0.message(number, flags) }
    }

    @Test("A frame after the last one of a request is refused")
    func endedRequest() throws {
        var writer = FrameWriter()
        let connection = try connection(&writer)
        let content = FrameWriter.content([("a", "b")])
        let first = writer.frame(2, FrameWriter.moreComing, Array(content[..<2]))
        #expect(try connection.receive(first).isEmpty)
        let last = writer.frame(2, 0, Array(content[2...]))
        #expect(try connection.receive(last).count == 1)
        let further = writer.frame(2, 0, [0])
        #expect(throws: BLIPError.self) { try connection.receive(further) }
    }

    @Test("A response needs a request that is open", arguments: [0, 2, 3, 1 << 63, .max])
    func responseNumbers(number: UInt64) {
        for type in [FrameWriter.response, FrameWriter.error] {
            expectRefused("\(number)") { $0.message(number, type) }
        }
    }

    @Test("A second response to a request is refused")
    func secondResponse() throws {
        var writer = FrameWriter()
        let connection = try connection(&writer)
        let first = writer.message(1, FrameWriter.response)
        #expect(try connection.receive(first).count == 1)
        let second = writer.message(1, FrameWriter.error)
        #expect(throws: BLIPError.self) { try connection.receive(second) }
    }

    @Test(
        "Properties that are not pairs of UTF-8 with U+0000 are refused",
        arguments: [
            [97], [97, 0], [97, 0, 98], [97, 0, 98, 0, 99], [97, 0, 98, 0, 99, 0],
            [0xFF, 0, 98, 0], [97, 0, 0xE2, 0x82, 0],
        ] as [[UInt8]])
    func properties(bytes: [UInt8]) {
        let content = FrameWriter.content(properties: bytes)
        expectRefused("request") { $0.frame(2, FrameWriter.request, content) }
        expectRefused("response") { $0.frame(1, FrameWriter.response, content) }
        expectRefused("error") { $0.frame(1, FrameWriter.error, content) }
    }

    @Test("A message that ends before its properties do is refused")
    func incompleteProperties() {
        let contents: [[UInt8]] = [[], [1], [5, 97, 0, 98, 0], [0x80], [0xFF, 0xFF]]
        for content in contents {
            expectRefused("\(content)") { $0.frame(2, FrameWriter.request, content) }
            expectRefused("\(content)") { $0.frame(1, FrameWriter.response, content) }
        }
    }

    @Test("A length of properties of more than 64 bits is refused before the message ends")
    func longLength() {
        let content = [UInt8](repeating: 0x80, count: 10)
        expectRefused("length") { $0.frame(2, FrameWriter.moreComing, content) }
    }

    @Test("Frames of the types 3, 6 and 7 are ignored, and do not enter the checksum")
    func unknownTypes() throws {
        var writer = FrameWriter()
        let connection = try connection(&writer)
        for flags in [3, 6, 7, 0x0B, 0x46, 0x3F] as [UInt64] {
            let other = FrameWriter.header(9, flags) + [1, 2, 3, 4, 5]
            #expect(try connection.receive(other).isEmpty)
            #expect(try connection.receive(FrameWriter.header(2, flags)).isEmpty)
        }
        let next = writer.message(2, FrameWriter.compressed, [("a", "b")])
        #expect(try connection.receive(next).first?.request?.number == 2)
    }

    @Test("Acknowledgements for nothing are ignored; without a number of bytes they are refused")
    func acknowledgements() throws {
        for type in [FrameWriter.requestAcknowledgement, FrameWriter.responseAcknowledgement] {
            for number in [0, 1, 9, .max] as [UInt64] {
                let frame = FrameWriter.acknowledgement(number, type, 50_000)
                #expect(try receive { _ in frame }.isEmpty)
                expectRefused("no count") { _ in FrameWriter.header(number, type) }
                expectRefused("half a count") { _ in FrameWriter.header(number, type) + [0x80] }
            }
        }
        // What follows the number of bytes means nothing.
        #expect(try receive { _ in FrameWriter.acknowledgement(1, 4, 1) + [1, 2, 3] }.isEmpty)
    }

    @Test("A string is read as a frame, as by LiteCore")
    func string() throws {
        // An acknowledgement of a message that does not exist.
        #expect(try receive { _ in Array("hello".utf8) }.isEmpty)
    }

    @Test("Compressed bytes that are not valid are refused")
    func compression() {
        let invalid: [[UInt8]] = [
            // The block type 3; a stored block whose lengths disagree; a reference to nothing.
            [0x06], [0x00, 0x05, 0x00, 0x00, 0x00], [0x03, 0x02, 0x00],
            [UInt8](repeating: 0xFF, count: 100), [0x00],
        ]
        for bytes in invalid {
            expectRefused("\(bytes)") { $0.frame(2, FrameWriter.request, compressed: bytes) }
        }
    }

    @Test("A compressed stream does not end")
    func endOfStream() {
        // A last block that is stored and has the byte 0, which would be an empty message.
        let last: [UInt8] = [0x01, 0x01, 0x00, 0xFE, 0xFF, 0x00]
        expectRefused("last block") { $0.frame(2, 0, compressed: last, of: [0]) }
    }
}
