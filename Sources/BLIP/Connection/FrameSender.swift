internal import FleeceLite

/// The sending half of a connection: cuts messages into frames, and sends them in turn.
struct FrameSender {
    /// The bytes of a frame, with its header and checksum.
    static let frameLength = 16_384
    /// The same while an urgent message waits.
    static let shortFrameLength = 4_096
    private static let headerLength = 2 * Varint.maximumLength

    private let deflater: Deflater?
    private var checksum = FrameChecksum()
    private var acknowledgements: [[UInt8]] = []
    private var queue: [OutgoingMessage] = []
    /// Messages of which the receiver has to acknowledge something first.
    private var waiting: [OutgoingMessage.Key: OutgoingMessage] = [:]

    /// - Parameter compressionLevel: from 1 to 9; 0 to compress nothing.
    init(compressionLevel: Int32) {
        deflater = compressionLevel == 0 ? nil : Deflater(level: compressionLevel)
    }

    var compresses: Bool { deflater != nil }

    mutating func add(_ message: OutgoingMessage) {
        guard message.isUrgent, !queue.isEmpty else { return queue.append(message) }
        queue.insert(message, at: urgentIndex(of: message))
    }

    /// After the last urgent message and one that is not, so that those go on, too. Requests start
    /// in the order of their numbers.
    private func urgentIndex(of message: OutgoingMessage) -> Int {
        let lastUrgent = queue.lastIndex(where: \.isUrgent) ?? -1
        let index = min(lastUrgent + 2, queue.count)
        guard message.isNewRequest, let last = queue.lastIndex(where: \.isNewRequest) else {
            return index
        }
        return max(index, last + 1)
    }

    mutating func acknowledge(_ number: UInt64, isResponse: Bool, _ count: UInt64) {
        var flags = FrameFlags(isResponse ? .responseAcknowledgement : .requestAcknowledgement)
        flags.formUnion([.urgent, .noReply])
        var frame: [UInt8] = []
        FrameHeader(number, flags).append(to: &frame)
        Varint.append(count, to: &frame)
        acknowledgements.append(frame)
    }

    mutating func didAcknowledge(_ key: OutgoingMessage.Key, _ count: UInt64) {
        guard let message = waiting[key] else {
            queue.first { $0.key == key && $0.isStarted }?.didAcknowledge(count)
            return
        }
        message.didAcknowledge(count)
        guard !message.mustWait else { return }
        waiting[key] = nil
        add(message)
    }

    /// The next frame; nil if there is nothing to send.
    ///
    /// - Throws: the error of a message's source.
    mutating func next() throws -> [UInt8]? {
        if !acknowledgements.isEmpty { return acknowledgements.removeFirst() }
        guard !queue.isEmpty else { return nil }
        let message = queue.removeFirst()
        let isShort = !message.isUrgent && queue.first?.isUrgent ?? false
        let (frame, isLast) = try frame(
            of: message, isShort ? Self.shortFrameLength : Self.frameLength)
        guard !isLast else { return frame }
        if message.mustWait { waiting[message.key] = message } else { add(message) }
        return frame
    }

    private mutating func frame(
        of message: OutgoingMessage, _ length: Int
    ) throws -> (bytes: [UInt8], isLast: Bool) {
        let compresses = message.flags.contains(.compressed)
        let space = length - Self.headerLength - FrameChecksum.length
        let (bytes, isLast) = try message.next(compresses ? space - Deflater.overhead : space)
        var flags = message.flags
        if !isLast { flags.insert(.moreComing) }
        var frame: [UInt8] = []
        frame.reserveCapacity(bytes.count + Self.headerLength + FrameChecksum.length)
        FrameHeader(message.number, flags).append(to: &frame)
        let start = frame.count
        bytes.withUnsafeBytes { bytes in
            checksum.add(bytes)
            if compresses, let deflater {
                deflater.append(bytes, to: &frame)
            } else {
                frame += bytes
            }
        }
        frame += checksum.bytes
        message.didSend(frame.count - start)
        return (frame, isLast)
    }
}
