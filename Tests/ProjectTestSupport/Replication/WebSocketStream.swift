internal import Foundation

/// What one side of a recorded connection sent: a head of HTTP, then frames of a WebSocket.
struct WebSocketStream {
    private let side: ReplicationRecording.Side
    private var bytes: [UInt8] = []
    private var hasHead = false
    /// The first fragments of a message.
    private var fragments: (opcode: UInt8, payload: [UInt8])?

    init(_ side: ReplicationRecording.Side) {
        self.side = side
    }

    /// Adds bytes, and appends what is complete with them to the connection.
    mutating func append(
        _ part: Data, at time: Double, to connection: inout ReplicationRecording.Connection
    ) {
        bytes += part
        if !hasHead {
            guard let end = bytes.endOfHead else { return }
            connection.heads.append(
                .init(side: side, string: String(decoding: bytes[..<end], as: UTF8.self)))
            bytes.removeFirst(end)
            hasHead = true
        }
        if side == .passive, let index = connection.heads.firstIndex(where: \.refuses) {
            connection.heads[index].body += bytes
            return bytes = []
        }
        var position = 0
        while let frame = WebSocketFrame(bytes, at: &position) {
            guard let message = complete(frame, at: time) else { continue }
            connection.messages.append(message)
        }
        bytes.removeFirst(position)
    }

    /// The message of which the frame is the last one. Frames that control the connection may be
    /// between fragments.
    private mutating func complete(
        _ frame: WebSocketFrame, at time: Double
    ) -> ReplicationRecording.Message? {
        var (opcode, payload) = (frame.opcode, frame.payload)
        if opcode < 8 {
            if let fragments {
                (opcode, payload) = (fragments.opcode, fragments.payload + payload)
            }
            fragments = frame.isLast ? nil : (opcode, payload)
        }
        guard frame.isLast else { return nil }
        return .init(side: side, time: time, opcode: opcode, payload: payload)
    }
}

extension ReplicationRecording.Head {
    /// Whether it is a response that does not change the protocol.
    fileprivate var refuses: Bool { side == .passive && !startLine.contains(" 101 ") }
}

/// A frame of RFC 6455, section 5.2.
private struct WebSocketFrame {
    let isLast: Bool
    let opcode: UInt8
    let payload: [UInt8]

    /// Reads a frame at a position, and moves it to the end of the frame; nil if it is incomplete.
    init?(_ bytes: [UInt8], at position: inout Int) {
        guard bytes.count >= position + 2 else { return nil }
        isLast = bytes[position] & 0x80 != 0
        opcode = bytes[position] & 0x0F
        let isMasked = bytes[position + 1] & 0x80 != 0
        var length = Int(bytes[position + 1] & 0x7F)
        var start = position + 2
        let extended = length == 126 ? 2 : length == 127 ? 8 : 0
        guard bytes.count >= start + extended + (isMasked ? 4 : 0) else { return nil }
        if extended > 0 { length = bytes[start..<start + extended].reduce(0) { $0 << 8 | Int($1) } }
        start += extended
        let mask = isMasked ? Array(bytes[start..<start + 4]) : []
        start += mask.count
        guard bytes.count >= start + length else { return nil }
        var payload = Array(bytes[start..<start + length])
        if isMasked { for index in payload.indices { payload[index] ^= mask[index & 3] } }
        self.payload = payload
        position = start + length
    }
}

extension [UInt8] {
    /// The position after the empty line that ends a head of HTTP; nil if it is incomplete.
    fileprivate var endOfHead: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard count >= mark.count else { return nil }
        return (mark.count...count).first { self[($0 - mark.count)..<$0].elementsEqual(mark) }
    }
}
