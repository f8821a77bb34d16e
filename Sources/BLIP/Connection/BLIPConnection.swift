/// One side of a connection of the protocol BLIP 3: requests and responses, of any size and several
/// at once, in frames.
///
/// It knows nothing of sockets. What a WebSocket receives goes in, and what it has to send comes
/// out:
///
/// ```swift
/// let connection = BLIPConnection()
/// let number = connection.send(BLIPMessage(["Profile": "getCheckpoint", "client": "cp-1"]))
/// while let frame = try connection.nextFrame() { socket.send(frame) }
/// for event in try connection.receive(socket.receive()) {
///     if case .response(number, let message) = event { show(message.body) }
/// }
/// ```
///
/// The frames are described in `docs/replication.md`. Sending and receiving cost a copy of the
/// bytes, and the compression.
package final class BLIPConnection {
    private let limits: BLIPLimits
    private var sender: FrameSender
    private var receiver: FrameReceiver

    private var lastSent: UInt64 = 0
    /// The requests that were sent and have no response, and whether that is received in parts.
    private var unanswered: [UInt64: Bool] = [:]

    private var lastReceived: UInt64 = 0
    private var requests: [UInt64: IncomingMessage] = [:]
    private var responses: [UInt64: IncomingMessage] = [:]
    /// The bytes of messages that are incomplete.
    private var incomplete = 0
    /// The requests that were received and have no response, and the bytes of each, and of all.
    private var open: [UInt64: Int] = [:]
    private var openBytes = 0

    /// Creates a connection.
    ///
    /// - Parameters:
    ///   - limits: what it accepts.
    ///   - compressionLevel: from 1, fast, to 9, small; 0 to compress nothing.
    package init(limits: BLIPLimits = BLIPLimits(), compressionLevel: Int32 = 6) {
        self.limits = limits
        sender = FrameSender(compressionLevel: min(max(compressionLevel, 0), 9))
        receiver = FrameReceiver(limits)
    }
}

// Sending.
extension BLIPConnection {
    /// Sends a request; returns its number.
    @discardableResult
    package func send(_ request: BLIPMessage, _ options: BLIPSendOptions = []) -> UInt64 {
        lastSent += 1
        if !options.contains(.noReply) {
            unanswered[lastSent] = options.contains(.streamedResponse)
        }
        sender.add(OutgoingMessage(lastSent, flags(.request, options), request))
        return lastSent
    }

    /// Answers a request.
    ///
    /// - Parameter source: returns what follows the body, part by part, none of them empty, and nil
    ///   at the end. It is called when there is space for a frame.
    package func respond(
        to request: BLIPRequest, _ response: BLIPMessage = BLIPMessage(),
        _ options: BLIPSendOptions = [], source: (() throws -> [UInt8]?)? = nil
    ) {
        respond(to: request, .response, response, options, source: source)
    }

    /// Answers a request with an error.
    package func respond(to request: BLIPRequest, _ error: BLIPErrorResponse) {
        respond(to: request, .errorResponse, error.encoded, [])
    }

    private func respond(
        to request: BLIPRequest, _ type: FrameType, _ response: BLIPMessage,
        _ options: BLIPSendOptions, source: (() throws -> [UInt8]?)? = nil
    ) {
        guard let bytes = open.removeValue(forKey: request.number) else { return }
        openBytes -= bytes
        let options = request.isUrgent ? options.union(.urgent) : options
        sender.add(
            OutgoingMessage(
                request.number, flags(type, options), response, source: source))
    }

    private func flags(_ type: FrameType, _ options: BLIPSendOptions) -> FrameFlags {
        var flags = FrameFlags(type)
        if options.contains(.compressed), sender.compresses { flags.insert(.compressed) }
        if options.contains(.urgent) { flags.insert(.urgent) }
        if options.contains(.noReply), type == .request { flags.insert(.noReply) }
        return flags
    }

    /// The next frame to send, as one binary message of the WebSocket; nil if there is none, until
    /// something is sent or received.
    ///
    /// - Throws: the error of the source of a response. The connection has to be closed then, since
    ///   the rest of the response is missing.
    package func nextFrame() throws -> [UInt8]? { try sender.next() }
}

// Receiving.
extension BLIPConnection {
    /// Takes a binary message of the WebSocket; returns what is complete with it.
    ///
    /// - Throws: ``BLIPError``. The connection has to be closed then.
    package func receive(_ frame: [UInt8]) throws -> [BLIPEvent] {
        try frame.withUnsafeBytes { try receive($0) }
    }

    /// Takes a binary message of the WebSocket; returns what is complete with it.
    ///
    /// - Throws: ``BLIPError``. The connection has to be closed then.
    package func receive(_ frame: UnsafeRawBufferPointer) throws(BLIPError) -> [BLIPEvent] {
        switch try receiver.receive(frame) {
        case .other: return []
        case .acknowledgement(let key, let count):
            sender.didAcknowledge(key, count)
            return []
        case .part(let header, .request, let bytes, let length):
            return try receiveRequest(header, bytes, length)
        case .part(let header, let type, let bytes, let length):
            return try receiveResponse(header, type, bytes, length)
        }
    }

    private func receiveRequest(
        _ header: FrameHeader, _ bytes: [UInt8], _ length: Int
    ) throws(BLIPError) -> [BLIPEvent] {
        let number = header.number
        if requests[number] == nil {
            guard number == lastReceived &+ 1 else {
                throw .badFrame("a request has the number \(number), not \(lastReceived &+ 1)")
            }
            guard requests.count + open.count < limits.openRequests else {
                throw .tooLarge("more than \(limits.openRequests) requests without a response")
            }
            lastReceived = number
            requests[number] = IncomingMessage(header.flags, isStreamed: false)
        }
        let isLast = !header.flags.contains(.moreComing)
        let message = try requests.add(
            bytes, length, to: number, isLast, limits, &incomplete,
            acknowledge: { sender.acknowledge(number, isResponse: false, $0) })
        guard let message else { return [] }
        let wantsResponse = !message.flags.contains(.noReply)
        if wantsResponse { try open(number, message.count) }
        return [
            .request(
                BLIPRequest(
                    number: number, message: try message.finished(), wantsResponse: wantsResponse,
                    isUrgent: message.flags.contains(.urgent)))
        ]
    }

    private func open(_ number: UInt64, _ bytes: Int) throws(BLIPError) {
        open[number] = bytes
        openBytes += bytes
        // One alone is limited as a message.
        guard openBytes <= limits.openRequestBytes || open.count == 1 else {
            throw .tooLarge("more than \(limits.openRequestBytes) bytes without a response")
        }
    }

    private func receiveResponse(
        _ header: FrameHeader, _ type: FrameType, _ bytes: [UInt8], _ length: Int
    ) throws(BLIPError) -> [BLIPEvent] {
        let number = header.number
        guard let isStreamed = unanswered[number] else {
            throw .badFrame("a response to the request \(number), which is not open")
        }
        if responses[number] == nil {
            responses[number] = IncomingMessage(
                header.flags, isStreamed: isStreamed && type == .response)
        }
        let isLast = !header.flags.contains(.moreComing)
        var events: [BLIPEvent] = []
        let message = try responses.add(
            bytes, length, to: number, isLast, limits, &incomplete,
            acknowledge: { sender.acknowledge(number, isResponse: true, $0) },
            part: { events.append(.part(BLIPPart(number: number, bytes: $0, length: length))) })
        guard let message else { return events }
        unanswered[number] = nil
        let finished = try message.finished()
        events.append(
            message.flags.type == .errorResponse
                ? .failure(number, BLIPErrorResponse(finished)) : .response(number, finished))
        return events
    }

    /// Lets the other side send more of a response that is received in parts.
    ///
    /// To be called when a part was used: so no more than 128,000 bytes, as they are sent, wait.
    package func didUse(_ part: BLIPPart) {
        guard let count = responses[part.number]?.didUse(part.length) else { return }
        sender.acknowledge(part.number, isResponse: true, count)
    }
}

extension [UInt64: IncomingMessage] {
    /// Adds the bytes of a frame to a message; returns the message if they are the last ones.
    fileprivate mutating func add(
        _ bytes: [UInt8], _ length: Int, to number: UInt64, _ isLast: Bool, _ limits: BLIPLimits,
        _ incomplete: inout Int, acknowledge: (UInt64) -> Void, part: ([UInt8]) -> Void = { _ in }
    ) throws(BLIPError) -> IncomingMessage? {
        guard var message = removeValue(forKey: number) else { return nil }
        incomplete -= message.count
        try message.append(bytes, limits)
        message.didReceive(length)
        if let bytes = message.nextPart() {
            part(bytes)
        } else if let count = message.didUse(length) {
            acknowledge(count)
        }
        guard !isLast else { return message }
        incomplete += message.count
        guard incomplete <= limits.incompleteMessages else {
            throw .tooLarge("more than \(limits.incompleteMessages) bytes of incomplete messages")
        }
        self[number] = message
        return nil
    }
}
