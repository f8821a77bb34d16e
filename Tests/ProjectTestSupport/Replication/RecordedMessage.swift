internal import Foundation

/// What the recorder decoded: a message of BLIP, or an acknowledgement.
package struct RecordedMessage: Sendable {
    /// What it is, by the recorder's names.
    package enum Kind: String, Sendable {
        case request = "MSG"
        case response = "RPY"
        case error = "ERR"
        case requestAcknowledgement = "ACKMSG"
        case responseAcknowledgement = "ACKRPY"
    }

    /// The side that sent it.
    package let side: ReplicationRecording.Side
    /// When its last frame arrived at the proxy, in seconds since the start.
    package let time: Double
    /// What it is.
    package let kind: Kind
    /// The number of the request.
    package let number: UInt64
    /// The flags of its first frame, with the type in the lowest three bits.
    package let flags: UInt64
    /// The frames of which it consists; 1 of an acknowledgement.
    package let frames: Int
    /// The bytes of its frames without their headers; 0 of an acknowledgement.
    package let wireLength: Int
    /// The properties, in the order in which they were sent.
    package let properties: [(name: String, value: String)]
    /// The length of its body in bytes.
    package let bodyLength: Int
    /// The number of bytes of an acknowledgement; 0 of a message.
    package let acknowledged: UInt64
    private let body: RecordedBody

    /// Whether it is a request, a response or an error.
    package var isMessage: Bool {
        kind != .requestAcknowledgement && kind != .responseAcknowledgement
    }

    /// The value of a property; nil if it is missing.
    package subscript(name: String) -> String? { properties.first { $0.name == name }?.value }

    /// Whether it has this body. Of a long one the recorder kept only the first bytes.
    package func hasBody(_ bytes: [UInt8]) -> Bool {
        bytes.count == bodyLength && body.matches(bytes)
    }

    /// The body, if it is UTF-8 and short enough for the recorder to keep it.
    package var string: String? {
        if case .string(let string) = body { string } else { nil }
    }

    /// Nil for a line about HTTP or the WebSocket.
    init?(_ line: RecordedLine) {
        guard let kind = line.type.flatMap(Kind.init), let number = line.no else { return nil }
        side = line.from
        time = line.t
        self.kind = kind
        self.number = number
        flags = line.flags ?? 0
        frames = line.frames ?? 1
        wireLength = line.wire ?? 0
        properties = (line.props ?? []).map { ($0[0], $0[1]) }
        bodyLength = line.bodyLen ?? 0
        acknowledged = line.ackBytes ?? 0
        body = RecordedBody(line)
    }
}

/// What the recorder kept of a body.
private enum RecordedBody: Sendable {
    case string(String)
    case bytes([UInt8])
    /// The first 20,000 bytes, repaired to UTF-8.
    case start(String)

    private static let limit = 20_000

    init(_ line: RecordedLine) {
        if let encoded = line.bodyBase64 {
            self = .bytes(Data(base64Encoded: encoded).map(Array.init) ?? [])
        } else {
            let string = line.body ?? ""
            self = line.bodyLen ?? 0 < Self.limit ? .string(string) : .start(string)
        }
    }

    func matches(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .string(let string): bytes.elementsEqual(string.utf8)
        case .bytes(let kept): kept == bytes
        case .start(let string):
            String(decoding: bytes.prefix(Self.limit), as: UTF8.self) + "..." == string
        }
    }
}

/// A line of messages.jsonl.
struct RecordedLine: Decodable {
    let t: Double
    let conn: Int
    let from: ReplicationRecording.Side
    let type: String?
    let no: UInt64?
    let flags: UInt64?
    let frames: Int?
    let wire: Int?
    let props: [[String]]?
    let bodyLen: Int?
    let body: String?
    let bodyBase64: String?
    let ackBytes: UInt64?
}
