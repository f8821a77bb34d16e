internal import FleeceLite

/// A message that is being received.
struct IncomingMessage {
    /// The type and the flags of its first frame.
    let flags: FrameFlags
    /// Whether its body is passed on in parts.
    let isStreamed: Bool
    /// The properties without their length, as soon as all were received. They are decoded with the
    /// last frame only: strings take up to 16 times as much memory, which is not limited.
    private var properties: [UInt8]?
    private var bytes: [UInt8] = []

    /// The bytes of its frames, as the sender counts them: those received, and those used.
    private var received: UInt64 = 0
    private var used: UInt64 = 0
    private var notAcknowledged = 0

    init(_ flags: FrameFlags, isStreamed: Bool) {
        self.flags = flags
        self.isStreamed = isStreamed
    }

    /// The bytes that wait for further ones.
    var count: Int { bytes.count + (properties?.count ?? 0) }

    /// Adds the bytes of a frame.
    mutating func append(_ part: [UInt8], _ limits: BLIPLimits) throws(BLIPError) {
        if bytes.isEmpty { bytes = part } else { bytes += part }
        guard bytes.count <= limits.message else {
            throw .tooLarge("a message of more than \(limits.message) bytes")
        }
        if properties == nil { try separateProperties(limits) }
    }

    private mutating func separateProperties(_ limits: BLIPLimits) throws(BLIPError) {
        let length = bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap { Varint.read($0, at: 0, limit: bytes.count) }
        }
        guard let length else {
            guard bytes.count < Varint.maximumLength else {
                throw .badFrame("the length of the properties of a message is not valid")
            }
            return
        }
        guard length.value <= limits.properties else {
            throw .tooLarge("a message with more than \(limits.properties) bytes of properties")
        }
        let end = length.end + Int(length.value)
        guard bytes.count >= end else { return }
        properties = Array(bytes[length.end..<end])
        bytes.removeFirst(end)
    }

    /// The bytes of a streamed body since the last call.
    mutating func nextPart() -> [UInt8]? {
        guard isStreamed, properties != nil, !bytes.isEmpty else { return nil }
        defer { bytes = [] }
        return bytes
    }

    /// The message after its last frame.
    func finished() throws(BLIPError) -> BLIPMessage {
        guard let properties else {
            throw .badFrame("a message ends before its properties do")
        }
        guard let properties = BLIPProperties(encoded: properties) else {
            throw .badFrame("the properties of a message are not pairs of strings with U+0000")
        }
        return BLIPMessage(properties, body: bytes)
    }

    mutating func didReceive(_ count: Int) { received += UInt64(count) }

    /// Counts bytes that were used; returns what is to be acknowledged, if it is enough. Of what is
    /// received in parts these are not all bytes that were received: the rest still takes memory.
    mutating func didUse(_ count: Int) -> UInt64? {
        used += UInt64(count)
        notAcknowledged += count
        guard notAcknowledged >= Self.acknowledgementInterval else { return nil }
        notAcknowledged = 0
        return min(used, received)
    }

    /// After how many bytes a message is acknowledged.
    private static let acknowledgementInterval = 50_000
}
