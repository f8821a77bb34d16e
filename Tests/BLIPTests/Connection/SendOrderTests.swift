import Testing

@testable import BLIP

@Suite("The order of frames")
struct SendOrderTests {
    private func message(_ length: Int) -> BLIPMessage {
        BLIPMessage(body: [UInt8](repeating: 1, count: length))
    }

    /// The numbers of the next frames.
    private func numbers(_ connection: BLIPConnection, _ count: Int) throws -> [UInt64] {
        try (0..<count).compactMap { _ in try connection.nextFrame() }.map {
            try SentFrame($0).number
        }
    }

    @Test("Frames of several messages alternate")
    func alternation() throws {
        let sender = BLIPConnection()
        for length in [40_000, 100_000, 40_000] { sender.send(message(length)) }
        sender.send(message(10))
        let all = try numbers(sender, 100)
        #expect(all == [1, 2, 3, 4, 1, 2, 3, 1, 2, 3, 2, 2, 2, 2])
    }

    @Test("An urgent request overtakes others that have started")
    func urgentRequest() throws {
        let sender = BLIPConnection()
        for _ in 0..<4 { sender.send(message(100_000)) }
        #expect(try numbers(sender, 4) == [1, 2, 3, 4])
        sender.send(message(100), .urgent)
        // One that is not urgent goes on before it.
        #expect(try numbers(sender, 3) == [1, 5, 2])
    }

    @Test("An urgent request does not overtake one that has not started")
    func numbersInOrder() throws {
        let sender = BLIPConnection()
        for _ in 0..<5 { sender.send(message(40_000)) }
        sender.send(message(100), .urgent)
        sender.send(message(40_000))
        sender.send(message(100), .urgent)
        var started: [UInt64] = []
        for number in try numbers(sender, 100) where !started.contains(number) {
            started.append(number)
        }
        #expect(started == [1, 2, 3, 4, 5, 6, 7, 8])
    }

    @Test("An urgent response overtakes requests that have not started")
    func urgentResponse() throws {
        let pair = ConnectionPair()
        let urgent = try pair.request(BLIPMessage(), .urgent)
        for _ in 0..<10 { pair.server.send(message(100_000)) }
        pair.server.respond(to: urgent, message(100))
        let types = try (0..<2).compactMap { _ in try pair.server.nextFrame() }.map {
            try SentFrame($0).flags.type
        }
        #expect(types == [.request, .response])
    }

    @Test("A long urgent message leaves every second frame to others, which are short then")
    func fairness() throws {
        let sender = BLIPConnection()
        sender.send(message(100_000))
        sender.send(message(100_000), .urgent)
        #expect(try numbers(sender, 1) == [1])
        let frames = try (0..<8).compactMap { _ in try sender.nextFrame() }.map(SentFrame.init)
        #expect(frames.map(\.number).sorted() == [1, 1, 1, 1, 2, 2, 2, 2])
        #expect(zip(frames, frames.dropFirst()).allSatisfy { $0.number != $1.number })
        #expect(frames.filter { $0.number == 1 }.allSatisfy { $0.length <= 4096 })
        #expect(frames.filter { $0.number == 2 }.allSatisfy { $0.length > 16_000 })
    }

    @Test("Several urgent messages do not stop an ordinary one")
    func manyUrgentMessages() throws {
        let sender = BLIPConnection()
        sender.send(message(60_000))
        #expect(try numbers(sender, 1) == [1])
        for _ in 0..<6 { sender.send(message(100_000), .urgent) }
        let next = try numbers(sender, 60)
        #expect(next.filter { $0 == 1 }.count >= 6)
    }

    @Test("Acknowledgements are sent before all others")
    func acknowledgements() throws {
        let connection = BLIPConnection()
        connection.send(message(100_000), .urgent)
        var writer = FrameWriter()
        let content = FrameWriter.content([], body: [UInt8](repeating: 1, count: 60_000))
        _ = try connection.receive(writer.frame(1, FrameWriter.moreComing, content))
        let first = try #require(try connection.nextFrame())
        #expect(try SentFrame(first).flags.type == .requestAcknowledgement)
    }

    @Test("What is sent between frames goes on from the frames before")
    func interleaving() throws {
        let (sender, receiver) = (BLIPConnection(), BLIPConnection())
        var bodies: [UInt64: Int] = [:]
        for index in 0..<20 {
            let number = sender.send(
                message(index * 5000), index.isMultiple(of: 3) ? .urgent : .compressed)
            bodies[number] = index * 5000
            guard let frame = try sender.nextFrame() else { continue }
            for case .request(let request) in try receiver.receive(frame) {
                #expect(bodies.removeValue(forKey: request.number) == request.message.body.count)
            }
        }
        for case .request(let request) in try sender.deliver(to: receiver) {
            #expect(bodies.removeValue(forKey: request.number) == request.message.body.count)
        }
        #expect(bodies.isEmpty)
    }
}
