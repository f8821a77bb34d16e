import ProjectTestSupport

@testable import BLIP

/// A recorded connection, received by two connections, one for each side.
struct RecordedReplay {
    /// What was received, with the side that sent it.
    private(set) var events: [(side: ReplicationRecording.Side, event: BLIPEvent)] = []
    /// The acknowledgements that each side sends.
    private(set) var acknowledgements: [ReplicationRecording.Side: [SentFrame]] = [:]
    /// The frame that was refused, by its position among the messages of the WebSocket.
    private(set) var failure: (index: Int, error: BLIPError)?

    private let active = BLIPConnection()
    private let passive = BLIPConnection()
    /// The number of requests that each side has started to send.
    private var started: [ReplicationRecording.Side: UInt64] = [:]

    init(_ connection: ReplicationRecording.Connection) throws {
        for (index, message) in connection.messages.enumerated() where message.isBLIP {
            startRequest(message)
            do {
                let received = try self[message.side.other].receive(message.payload)
                events += received.map { (message.side, $0) }
            } catch let error as BLIPError {
                failure = (index, error)
                return
            }
            let sent = try self[message.side.other].sentFrames().filter(\.isAcknowledgement)
            acknowledgements[message.side.other, default: []] += sent
        }
    }

    private subscript(side: ReplicationRecording.Side) -> BLIPConnection {
        side == .active ? active : passive
    }

    /// A connection accepts responses to its requests alone, so that the sender of a request has
    /// to send one of its number, too; its content does not matter.
    private mutating func startRequest(_ message: ReplicationRecording.Message) {
        let number = started[message.side, default: 0] + 1
        guard let frame = try? SentFrame(message.payload), frame.flags.type == .request,
            frame.number == number
        else { return }
        self[message.side].send(BLIPMessage(), frame.flags.contains(.noReply) ? [.noReply] : [])
        started[message.side] = number
    }
}

extension RecordedMessage {
    /// Whether it is what a connection received.
    func matches(_ event: BLIPEvent) -> Bool {
        switch event {
        case .request(let request):
            kind == .request && number == request.number
                && (flags & FrameWriter.urgent != 0) == request.isUrgent
                && (flags & FrameWriter.noReply == 0) == request.wantsResponse
                && hasContent(request.message)
        case .response(let number, let message):
            kind == .response && self.number == number && hasContent(message)
        case .failure(let number, let error):
            kind == .error && self.number == number && self["Error-Domain"] == error.domain
                && self["Error-Code"] == "\(error.code)" && hasBody(Array(error.message.utf8))
        case .part: false
        }
    }

    private func hasContent(_ message: BLIPMessage) -> Bool {
        let encoded = FrameWriter.content(properties.map { ($0.name, $0.value) })
        return message.properties.encoded == encoded && hasBody(message.body)
    }
}
