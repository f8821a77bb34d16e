import ProjectTestSupport
import Testing

@testable import BLIP

@Suite(
    "Recordings of LiteCore: sending", .enabled(if: GoldenFiles.arePresent),
    .timeLimit(.minutes(20)))
struct RecordedSendingTests {
    @Test("A message that is not compressed and fits a frame becomes the recorded bytes")
    func bytes() throws {
        var counts = SendingReplay.Counts()
        for scenario in ReplicationRecording.scenarios where scenario != Self.otherSender {
            for connection in try ReplicationRecording(scenario).connections {
                var replay = SendingReplay()
                try replay.run(connection)
                counts.add(replay.counts)
                for difference in replay.differences {
                    Issue.record("\(scenario), connection \(connection.number): \(difference)")
                }
            }
        }
        // If few were compared, the test would show nothing.
        #expect(counts.equal > 8_000)
        #expect(counts.compressed > 3_000)
    }

    /// pythonblip, whose responses to urgent requests are not urgent.
    private static let otherSender = "rt_pythonblip"
}

/// A recorded connection, of which each message is sent again when it was received.
///
/// It ends at the first frame between those of another message: from there on the order of the
/// bytes, and so the checksum, depends on how messages are cut.
private struct SendingReplay {
    struct Counts {
        /// Frames of which all bytes were compared.
        var equal = 0
        /// Messages that were compressed or cut, of which the checksum was compared.
        var compressed = 0

        mutating func add(_ other: Counts) {
            equal += other.equal
            compressed += other.compressed
        }
    }

    private(set) var counts = Counts()
    private(set) var differences: [String] = []
    private let active = BLIPConnection()
    private let passive = BLIPConnection()
    /// The requests that a side received, by their numbers.
    private var requests: [ReplicationRecording.Side: [UInt64: BLIPRequest]] = [:]
    /// The message that a side has sent in part, and the length of the frames.
    private var incomplete: [ReplicationRecording.Side: (key: OutgoingMessage.Key, length: Int)] =
        [:]

    /// A longer message waits for acknowledgements, which are not recorded for other frames.
    private static let limit = 120_000

    mutating func run(_ connection: ReplicationRecording.Connection) throws {
        for message in connection.messages where message.isBLIP {
            guard let frame = try? SentFrame(message.payload), follows(frame, message.side) else {
                return
            }
            let received: [BLIPEvent]
            do {
                received = try self[message.side.other].receive(message.payload)
            } catch is BLIPError {
                return
            }
            for event in received { try send(event, message) }
        }
    }

    private subscript(side: ReplicationRecording.Side) -> BLIPConnection {
        side == .active ? active : passive
    }

    private mutating func follows(
        _ frame: SentFrame, _ side: ReplicationRecording.Side
    ) -> Bool {
        guard let type = frame.flags.type, !type.isAcknowledgement else { return true }
        let key = OutgoingMessage.Key(number: frame.number, isResponse: type != .request)
        let length = (incomplete[side]?.length ?? 0) + frame.length
        guard incomplete[side]?.key ?? key == key, length < Self.limit else { return false }
        incomplete[side] = frame.isLast ? nil : (key, length)
        return true
    }

    private mutating func send(
        _ event: BLIPEvent, _ recorded: ReplicationRecording.Message
    ) throws {
        let (side, flags) = (recorded.side, try SentFrame(recorded.payload).flags)
        var options: BLIPSendOptions = []
        if flags.contains(.compressed) { options.insert(.compressed) }
        switch event {
        case .request(let request):
            requests[side.other, default: [:]][request.number] = request
            if request.isUrgent { options.insert(.urgent) }
            if !request.wantsResponse { options.insert(.noReply) }
            self[side].send(request.message, options)
        case .response(let number, let message):
            guard let request = requests[side]?[number] else { return }
            self[side].respond(to: request, message, options)
        case .failure(let number, let error):
            guard let request = requests[side]?[number] else { return }
            self[side].respond(to: request, error)
        case .part: return
        }
        try compare(self[side].frames(), recorded.payload)
    }

    private mutating func compare(_ frames: [[UInt8]], _ recorded: [UInt8]) throws {
        let sent = try frames.filter { try !SentFrame($0).isAcknowledgement }
        guard let last = sent.last else { return differences.append("no frame is sent") }
        let (new, old) = (try SentFrame(last), try SentFrame(recorded))
        if sent.count == 1, old.flags.isDisjoint(with: [.compressed, .moreComing]),
            new.length == old.length
        {
            counts.equal += 1
            if last != recorded { differences.append("\(recorded) is sent as \(last)") }
        } else {
            counts.compressed += 1
            let isEqual = new.number == old.number && new.rest.suffix(4) == old.rest.suffix(4)
            if !isEqual { differences.append("\(old) is sent as \(new)") }
        }
    }
}
