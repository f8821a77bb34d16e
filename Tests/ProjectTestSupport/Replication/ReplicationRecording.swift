internal import Foundation

/// The bytes that two LiteCore processes exchanged while they replicated, one scenario of the
/// golden files.
///
/// ```swift
/// let recording = try ReplicationRecording("rt_push3")
/// for message in recording.connections[0].messages where message.isBLIP {
///     try receive(message.payload, from: message.side)
/// }
/// ```
///
/// Tests with it need `GoldenFiles.arePresent`.
package struct ReplicationRecording: Sendable {
    /// The names of all scenarios, sorted; empty if there are no golden files.
    package static let scenarios: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(
            atPath: GoldenFiles.file("replication"))
        return (names ?? []).filter { !$0.contains(".") }.sorted()
    }()

    /// The scenario.
    package let name: String
    /// The TCP connections, in the order in which they were opened.
    package let connections: [Connection]

    /// Reads a scenario.
    ///
    /// - Throws: an error if a file is missing, or is not what the recorder writes.
    package init(_ scenario: String) throws {
        name = scenario
        let directory = GoldenFiles.file("replication/\(scenario)")
        var streams: [Int: (active: WebSocketStream, passive: WebSocketStream)] = [:]
        var connections: [Int: Connection] = [:]
        for record in try RecordedLines("\(directory)/raw.jsonl").decode(RecordedBytes.self) {
            guard let encoded = record.base64, let bytes = Data(base64Encoded: encoded) else {
                continue
            }
            var pair =
                streams[record.conn] ?? (WebSocketStream(.active), WebSocketStream(.passive))
            var connection = connections[record.conn] ?? Connection(number: record.conn)
            switch record.from {
            case .active: pair.active.append(bytes, at: record.t, to: &connection)
            case .passive: pair.passive.append(bytes, at: record.t, to: &connection)
            }
            streams[record.conn] = pair
            connections[record.conn] = connection
        }
        for message in try RecordedLines("\(directory)/messages.jsonl").decode(RecordedLine.self) {
            guard let decoded = RecordedMessage(message) else { continue }
            connections[message.conn]?.decoded.append(decoded)
        }
        self.connections = connections.values.sorted { $0.number < $1.number }
    }
}

extension ReplicationRecording {
    /// A side of a connection.
    package enum Side: String, Sendable, Decodable {
        /// The client, which opened the connection and drives the replication.
        case active
        /// The server.
        case passive

        /// The side that receives what this one sends.
        package var other: Side { self == .active ? .passive : .active }
    }

    /// A TCP connection.
    package struct Connection: Sendable {
        /// Its number in the scenario, from 0.
        package let number: Int
        /// The head of the request and of the response of HTTP, and the body of a response that
        /// refuses the connection.
        package internal(set) var heads: [Head] = []
        /// The messages of the WebSocket, in the order of arrival; also those that close it.
        package internal(set) var messages: [Message] = []
        /// What the recorder decoded, in the order of arrival.
        package internal(set) var decoded: [RecordedMessage] = []
    }

    /// The head of a request or a response of HTTP.
    package struct Head: Sendable {
        /// The side that sent it.
        package let side: Side
        /// The first line and the fields, with the lines' ends.
        package let string: String
        /// What follows it if the connection does not become a WebSocket.
        package internal(set) var body: [UInt8] = []

        /// The first line.
        package var startLine: String {
            string.prefix { !$0.isNewline }.description
        }

        /// The value of a field; nil if it is missing.
        package func field(_ name: String) -> String? {
            for line in string.split(whereSeparator: \.isNewline).dropFirst() {
                let parts = line.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, parts[0].lowercased() == name.lowercased() else { continue }
                return parts[1].trimmingCharacters(in: .whitespaces)
            }
            return nil
        }
    }

    /// A message of the WebSocket; fragments are put together, and masks are removed.
    package struct Message: Sendable {
        /// The side that sent it.
        package let side: Side
        /// When it arrived at the proxy, in seconds since the start.
        package let time: Double
        /// 1 string, 2 bytes, 8 close, 9 ping, 10 pong (RFC 6455, section 11.8).
        package let opcode: UInt8
        /// The content.
        package let payload: [UInt8]

        /// Whether LiteCore decodes it as a frame of BLIP, as it does with a string, too.
        package var isBLIP: Bool { opcode == 1 || opcode == 2 }

        /// The status with which it closes the connection; nil of other messages.
        package var closeCode: UInt16? {
            guard opcode == 8, payload.count >= 2 else { return nil }
            return UInt16(payload[0]) << 8 | UInt16(payload[1])
        }
    }
}

/// A line of raw.jsonl; without bytes if a connection was opened or ended.
private struct RecordedBytes: Decodable {
    let t: Double
    let conn: Int
    let from: ReplicationRecording.Side
    let base64: String?
}
