import BLIP
import ProjectTestSupport

/// A recorded connection as messages of BLIP, with whole bodies.
struct ReplayConnection: Sendable {
    typealias Side = ReplicationRecording.Side

    /// What one side sent.
    struct Item: Sendable {
        let side: Side
        let time: Double
        let content: Content
    }

    enum Content: Sendable {
        case request(BLIPRequest)
        case response(UInt64, BLIPMessage)
        case failure(UInt64, BLIPErrorResponse)
        case close(UInt16)
    }

    let number: Int
    /// In the order of arrival.
    let items: [Item]
    /// The protocols that the active side offered.
    let offered: [String]
    /// The protocol that the passive side chose; nil if it refused the connection.
    let subprotocol: String?
    /// When the first message came.
    var time: Double { items.first?.time ?? 0 }

    init(_ recorded: ReplicationRecording.Connection) throws {
        number = recorded.number
        let field = "Sec-WebSocket-Protocol"
        offered =
            recorded.heads.first { $0.side == .active }?.field(field)?
            .split(separator: ",").map(String.init) ?? []
        let answer = recorded.heads.first { $0.side == .passive }
        subprotocol = answer?.startLine.contains(" 101 ") == true ? answer?.field(field) : nil
        var decoder = ReplayDecoder()
        items = try recorded.messages.flatMap { try decoder.items($0) }
    }

    /// The requests of a side with what the other one answered.
    func exchanges(of side: Side) -> [(request: BLIPRequest, answer: Content?)] {
        var answers: [UInt64: Content] = [:]
        for item in items where item.side == side.other {
            switch item.content {
            case .response(let number, _), .failure(let number, _): answers[number] = item.content
            default: break
            }
        }
        return items.compactMap { item in
            guard item.side == side, case .request(let request) = item.content else { return nil }
            return (request, answers[request.number])
        }
    }
}

/// Two connections that receive what the recorded sides sent each other.
private struct ReplayDecoder {
    private let active = BLIPConnection()
    private let passive = BLIPConnection()
    private var started: [ReplicationRecording.Side: UInt64] = [:]
    private static let noReply: UInt8 = 0x20

    mutating func items(
        _ message: ReplicationRecording.Message
    ) throws -> [ReplayConnection.Item] {
        let item = { ReplayConnection.Item(side: message.side, time: message.time, content: $0) }
        if let code = message.closeCode { return [item(.close(code))] }
        guard message.isBLIP else { return [] }
        startRequest(message)
        return try self[message.side.other].receive(message.payload).compactMap { event in
            switch event {
            case .request(let request): item(.request(request))
            case .response(let number, let response): item(.response(number, response))
            case .failure(let number, let error): item(.failure(number, error))
            case .part: nil
            }
        }
    }

    private subscript(side: ReplicationRecording.Side) -> BLIPConnection {
        side == .active ? active : passive
    }

    /// A connection accepts responses to its requests alone, so that the sender of a request has
    /// to send one of its number, too; its content does not matter.
    private mutating func startRequest(_ message: ReplicationRecording.Message) {
        var number: UInt64 = 0
        var bytes = message.payload[...]
        var shift: UInt64 = 0
        while let byte = bytes.popFirst() {
            number |= UInt64(byte & 0x7F) << shift
            shift += 7
            if byte < 0x80 { break }
        }
        guard let flags = bytes.first, flags & 0x07 == 0,
            number == started[message.side, default: 0] + 1
        else { return }
        _ = self[message.side].send(BLIPMessage(), flags & Self.noReply != 0 ? .noReply : [])
        started[message.side] = number
    }
}
