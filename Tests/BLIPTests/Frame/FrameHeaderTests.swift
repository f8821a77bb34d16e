import Testing

@testable import BLIP

@Suite("Headers of frames")
struct FrameHeaderTests {
    @Test(
        "A header is two variable-length integers",
        arguments: [
            (1, 0x00, [0x01, 0x00]), (127, 0x48, [0x7F, 0x48]), (128, 0x19, [0x80, 0x01, 0x19]),
            (300, 0x34, [0xAC, 0x02, 0x34]),
            (
                UInt64.max, 0x80,
                [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01, 0x80, 0x01]
            ),
        ] as [(UInt64, UInt64, [UInt8])])
    func bytes(number: UInt64, flags: UInt64, bytes: [UInt8]) {
        var written: [UInt8] = []
        FrameHeader(number, FrameFlags(rawValue: flags)).append(to: &written)
        #expect(written == bytes)
        var end = 0
        let read = (bytes + [9]).withUnsafeBytes { FrameHeader($0, end: &end) }
        #expect(read == FrameHeader(number, FrameFlags(rawValue: flags)))
        #expect(end == bytes.count)
    }

    @Test(
        "A header that is incomplete or has a number of more than 64 bits is not read",
        arguments: [
            [], [0x01], [0x80], [0x80, 0x80], [0x01, 0x80], [0xFF, 0xFF],
            [0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02, 0x00],
            [UInt8](repeating: 0x80, count: 30), [0x01] + [UInt8](repeating: 0xFF, count: 30),
        ] as [[UInt8]])
    func incomplete(bytes: [UInt8]) {
        var end = 0
        #expect(bytes.withUnsafeBytes { FrameHeader($0, end: &end) } == nil)
    }

    @Test("The flags of LiteCore have these types")
    func types() {
        let types: [UInt64: FrameType] = [
            0x00: .request, 0x18: .request, 0x48: .request, 0x28: .request, 0x01: .response,
            0x49: .response, 0x02: .errorResponse, 0x12: .errorResponse,
            0x34: .requestAcknowledgement, 0x35: .responseAcknowledgement,
        ]
        for (flags, type) in types { #expect(FrameFlags(rawValue: flags).type == type) }
        for flags in [3, 6, 7, 0x4B] as [UInt64] {
            #expect(FrameFlags(rawValue: flags).type == nil)
        }
    }
}
