import FleeceLite

@testable import BLIP

/// A frame that a connection sends, read for a test.
struct SentFrame {
    let number: UInt64
    let flags: FrameFlags
    /// What follows the header.
    let rest: [UInt8]
    /// The length of the whole frame.
    let length: Int

    struct Incomplete: Error {
        let bytes: [UInt8]
    }

    init(_ bytes: [UInt8]) throws {
        var end = 0
        guard let header = bytes.withUnsafeBytes({ FrameHeader($0, end: &end) }) else {
            throw Incomplete(bytes: bytes)
        }
        number = header.number
        flags = header.flags
        rest = Array(bytes[end...])
        length = bytes.count
    }

    var isAcknowledgement: Bool { flags.type?.isAcknowledgement ?? false }
    var isLast: Bool { !flags.contains(.moreComing) }

    /// The number of bytes of an acknowledgement.
    var acknowledged: UInt64? {
        guard isAcknowledgement else { return nil }
        return rest.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { Varint.read($0, at: 0, limit: bytes.count)?.value }
        }
    }

    /// Some bytes of a message that was not compressed.
    var content: [UInt8] { rest.dropLast(4) }
}

extension BLIPConnection {
    /// The frames that it has to send now.
    func frames() throws -> [[UInt8]] {
        var frames: [[UInt8]] = []
        while let frame = try nextFrame() { frames.append(frame) }
        return frames
    }

    /// The frames that it has to send now, read.
    func sentFrames() throws -> [SentFrame] { try frames().map(SentFrame.init) }

    /// Sends what it has to send now to another connection; returns what that received.
    @discardableResult
    func deliver(to other: BLIPConnection) throws -> [BLIPEvent] {
        var events: [BLIPEvent] = []
        while let frame = try nextFrame() { events += try other.receive(frame) }
        return events
    }
}
