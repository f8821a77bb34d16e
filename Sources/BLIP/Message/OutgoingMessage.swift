/// A message that is being sent.
final class OutgoingMessage {
    let number: UInt64
    let flags: FrameFlags
    private var bytes: [UInt8]
    /// The number of bytes that were sent.
    private var position = 0
    private var source: (() throws -> [UInt8]?)?

    /// Whether a frame was sent.
    private(set) var isStarted = false
    /// The bytes of frames that were sent, as the receiver counts them.
    private(set) var sent: UInt64 = 0
    private(set) var acknowledged: UInt64 = 0

    /// - Parameter source: returns what follows the body, part by part, and nil at the end.
    init(
        _ number: UInt64, _ flags: FrameFlags, _ message: BLIPMessage,
        source: (() throws -> [UInt8]?)? = nil
    ) {
        self.number = number
        self.flags = flags
        bytes = message.properties.encoded + message.body
        self.source = source
    }

    var isUrgent: Bool { flags.contains(.urgent) }
    /// Whether its number has to be the next one when it starts.
    var isNewRequest: Bool { flags.type == .request && !isStarted }
    var key: Key { Key(number: number, isResponse: flags.type != .request) }

    /// What an acknowledgement says about a message.
    struct Key: Hashable {
        let number: UInt64
        let isResponse: Bool
    }

    /// The next bytes, and whether further ones follow.
    func next(_ maximum: Int) throws -> (bytes: ArraySlice<UInt8>, isLast: Bool) {
        isStarted = true
        while bytes.count - position <= maximum, let source {
            guard let part = try source() else {
                self.source = nil
                break
            }
            bytes = Array(bytes[position...]) + part
            position = 0
        }
        let end = min(position + maximum, bytes.count)
        defer { position = end }
        return (bytes[position..<end], end == bytes.count)
    }

    func didSend(_ count: Int) { sent += UInt64(count) }

    /// Whether so much is on its way that the receiver has to acknowledge some of it first.
    var mustWait: Bool { sent - acknowledged > Self.window }

    /// Of numbers that are not possible nothing changes.
    func didAcknowledge(_ count: UInt64) {
        if count <= sent { acknowledged = max(acknowledged, count) }
    }

    /// The bytes of a message that are sent without an acknowledgement.
    private static let window: UInt64 = 128_000
}
