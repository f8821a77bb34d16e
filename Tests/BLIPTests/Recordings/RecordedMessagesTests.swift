import ProjectTestSupport
import Testing

@testable import BLIP

@Suite(
    "Recordings of LiteCore: receiving", .enabled(if: GoldenFiles.arePresent),
    .timeLimit(.minutes(20)))
struct RecordedMessagesTests {
    @Test(
        "All messages are received, bad frames are refused, the same bytes are acknowledged",
        arguments: ReplicationRecording.scenarios)
    func connections(scenario: String) throws {
        let recording = try ReplicationRecording(scenario)
        #expect(!recording.connections.isEmpty)
        for connection in recording.connections {
            let comment: Comment = "\(scenario), connection \(connection.number)"
            let replay = try RecordedReplay(connection)
            #expect(replay.failure?.index == connection.refusedFrame, comment)
            compare(replay, connection, comment)
            // The scripted peers do not acknowledge as LiteCore does, and the end of a connection
            // can come before an acknowledgement.
            guard !scenario.contains("probe"), !scenario.contains("interrupted") else { continue }
            compareAcknowledgements(replay, connection, comment)
        }
    }

    private func compare(
        _ replay: RecordedReplay, _ connection: ReplicationRecording.Connection, _ comment: Comment
    ) {
        let end = replay.failure.map { connection.messages[$0.index].time } ?? .infinity
        let expected = connection.decoded.filter { $0.isMessage && $0.time < end }
        #expect(replay.events.count == expected.count, comment)
        for (message, received) in zip(expected, replay.events) {
            guard message.side == received.side, message.matches(received.event) else {
                Issue.record("\(comment): \(message) is not \(received)")
                break
            }
        }
    }

    private func compareAcknowledgements(
        _ replay: RecordedReplay, _ connection: ReplicationRecording.Connection, _ comment: Comment
    ) {
        for side in [ReplicationRecording.Side.active, .passive] {
            let recorded = connection.decoded.filter { !$0.isMessage && $0.side == side }
            let sent = replay.acknowledgements[side, default: []]
            #expect(sent.map(\.number) == recorded.map(\.number), comment)
            #expect(sent.map(\.flags.rawValue) == recorded.map(\.flags), comment)
            #expect(sent.map(\.acknowledged) == recorded.map(\.acknowledged), comment)
        }
    }

    @Test("The recordings have bad frames and acknowledgements")
    func contents() throws {
        let refused = try ReplicationRecording("rt_probe_frames").connections.compactMap {
            try RecordedReplay($0).failure?.error.description
        }
        let parts = [
            "checksum", "has the number 7", "has the number 1", "to the request 9", "checksum",
            "number or its flags", "pairs of strings", "bytes of properties",
        ]
        #expect(refused.count == parts.count)
        for (error, part) in zip(refused, parts) { #expect(error.contains(part)) }
        let pull = try ReplicationRecording("vv_large_pull").connections[0]
        #expect(pull.decoded.filter { !$0.isMessage }.count > 5)
    }
}

extension ReplicationRecording.Connection {
    /// The frame of the active side before LiteCore closed the connection because of an error of
    /// the protocol, by its position among the messages; nil if it did not.
    fileprivate var refusedFrame: Int? {
        let close = messages.firstIndex {
            $0.side == .passive && $0.closeCode == 1011
                && $0.payload.dropFirst(2).elementsEqual("Unexpected exception".utf8)
        }
        return close.flatMap { messages[..<$0].lastIndex { $0.side == .active && $0.isBLIP } }
    }
}
