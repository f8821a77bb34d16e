internal import FleeceLite

/// The receiving half of a connection: checks frames, and decompresses them.
struct FrameReceiver {
    /// A frame that was received.
    enum Frame {
        /// Some bytes of a message, and the length of the frame without its header.
        case part(FrameHeader, FrameType, [UInt8], length: Int)
        case acknowledgement(OutgoingMessage.Key, count: UInt64)
        /// Of a type that is not known.
        case other
    }

    let limits: BLIPLimits
    private let inflater = Inflater()
    private var checksum = FrameChecksum()

    init(_ limits: BLIPLimits) {
        self.limits = limits
    }

    mutating func receive(_ frame: UnsafeRawBufferPointer) throws(BLIPError) -> Frame {
        var end = 0
        guard let header = FrameHeader(frame, end: &end) else {
            throw .badFrame("its number or its flags are missing")
        }
        // The bytes of others do not enter the checksum.
        guard let type = header.flags.type else { return .other }
        let rest = UnsafeRawBufferPointer(rebasing: frame[end...])
        guard !type.isAcknowledgement else {
            guard let base = rest.baseAddress,
                let count = Varint.read(base, at: 0, limit: rest.count)
            else { throw .badFrame("an acknowledgement without a number of bytes") }
            let key = OutgoingMessage.Key(
                number: header.number, isResponse: type == .responseAcknowledgement)
            return .acknowledgement(key, count: count.value)
        }
        let bytes = try message(rest, isCompressed: header.flags.contains(.compressed))
        return .part(header, type, bytes, length: rest.count)
    }

    /// The bytes of the message in a frame.
    private mutating func message(
        _ frame: UnsafeRawBufferPointer, isCompressed: Bool
    ) throws(BLIPError) -> [UInt8] {
        guard frame.count >= FrameChecksum.length else {
            throw .badFrame("it ends before its checksum")
        }
        let content = UnsafeRawBufferPointer(rebasing: frame.dropLast(FrameChecksum.length))
        var bytes: [UInt8] = []
        if isCompressed {
            try inflater.append(content, to: &bytes, limit: limits.frame)
        } else {
            bytes = Array(content)
        }
        bytes.withUnsafeBytes { checksum.add($0) }
        guard checksum.isLast(of: frame) else { throw .badFrame("its checksum is wrong") }
        return bytes
    }
}
