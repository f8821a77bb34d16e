import Testing

@testable import BLIP

@Suite("Requests and responses")
struct ResponseTests {
    @Test("A request arrives, and its response has its number")
    func requestAndResponse() throws {
        let pair = ConnectionPair()
        let message = BLIPMessage(
            ["Profile": "getCheckpoint", "client": "cp-1"], body: Array("{}".utf8))
        let request = try pair.request(message)
        #expect(request.number == 1)
        #expect(request.message == message)
        #expect(request.message.profile == "getCheckpoint")
        #expect(request.wantsResponse && !request.isUrgent)
        pair.server.respond(to: request, BLIPMessage(["rev": ""], body: [1]))
        let events = try pair.exchange().client
        #expect(events.count == 1)
        #expect(events.first?.response?.number == 1)
        #expect(events.first?.response?.message == BLIPMessage(["rev": ""], body: [1]))
    }

    @Test("Both sides have their own numbers")
    func numbers() throws {
        let pair = ConnectionPair()
        #expect(pair.client.send(BLIPMessage()) == 1)
        #expect(pair.client.send(BLIPMessage(), .noReply) == 2)
        #expect(pair.client.send(BLIPMessage()) == 3)
        #expect(pair.server.send(BLIPMessage()) == 1)
        let received = try pair.exchange()
        #expect(received.server.compactMap(\.request).map(\.number) == [1, 2, 3])
        #expect(received.client.compactMap(\.request).map(\.number) == [1])
    }

    @Test("Responses may come in any order, and only once")
    func order() throws {
        let pair = ConnectionPair()
        let requests = try (0..<5).map { _ in try pair.request() }
        for index in [3, 0, 4, 4, 1, 3, 2] {
            pair.server.respond(to: requests[index], BLIPMessage(["index": "\(index)"]))
            pair.server.respond(to: requests[index], BLIPErrorResponse("BLIP", 404))
        }
        let responses = try pair.exchange().client.compactMap(\.response)
        #expect(responses.map(\.number) == [4, 1, 5, 2, 3])
        #expect(responses.map { $0.message.properties["index"] } == ["3", "0", "4", "1", "2"])
    }

    @Test("A request without a response does not get one")
    func noReply() throws {
        let pair = ConnectionPair()
        let request = try pair.request(BLIPMessage(), [.noReply, .compressed])
        #expect(!request.wantsResponse)
        pair.server.respond(to: request, BLIPMessage(["a": "b"]))
        pair.server.respond(to: request, BLIPErrorResponse("BLIP", 404))
        #expect(try pair.server.nextFrame() == nil)
        // What is flagged in a response means nothing.
        let next = try pair.request()
        pair.server.respond(to: next, BLIPMessage(), .noReply)
        #expect(try pair.server.sentFrames().map(\.flags.rawValue) == [0x01])
    }

    @Test("A response is urgent if its request is", arguments: [true, false])
    func urgency(isError: Bool) throws {
        for (options, flags) in [([], 0), (.urgent, 0x10)] as [(BLIPSendOptions, UInt64)] {
            let pair = ConnectionPair()
            let request = try pair.request(BLIPMessage(), options)
            #expect(request.isUrgent == options.contains(.urgent))
            if isError {
                pair.server.respond(to: request, BLIPErrorResponse("BLIP", 404))
            } else {
                pair.server.respond(to: request)
            }
            let sent = try pair.server.sentFrames().map(\.flags.rawValue)
            #expect(sent == [flags + (isError ? 2 : 1)])
        }
    }

    @Test(
        "An error arrives with domain, code and message",
        arguments: [
            BLIPErrorResponse("HTTP", 409, "conflict"), BLIPErrorResponse("LiteCore", -7, "ü"),
            BLIPErrorResponse("BLIP", .max), BLIPErrorResponse("", .min, "a\u{0}b"),
        ])
    func failures(error: BLIPErrorResponse) throws {
        let pair = ConnectionPair()
        let request = try pair.request()
        pair.server.respond(to: request, error)
        let events = try pair.exchange().client
        #expect(events.count == 1)
        #expect(events.first?.failure?.number == 1)
        #expect(events.first?.failure?.error == error)
    }

    @Test(
        "An error without a domain is one of BLIP; a code that is not valid is 0",
        arguments: [
            ([], BLIPErrorResponse("BLIP", 0)), ([("Error-Code", "503")], .init("BLIP", 503)),
            ([("Error-Domain", "HTTP"), ("Error-Code", "x")], .init("HTTP", 0)),
            ([("Error-Domain", "HTTP"), ("Error-Code", "99999999999")], .init("HTTP", 0)),
        ] as [([(String, String)], BLIPErrorResponse)])
    func incompleteFailures(properties: [(String, String)], error: BLIPErrorResponse) throws {
        let client = BLIPConnection()
        client.send(BLIPMessage())
        var writer = FrameWriter()
        let events = try client.receive(writer.message(1, FrameWriter.error, properties))
        #expect(events.first?.failure?.error == error)
    }

    @Test("A response may come before the request is complete")
    func earlyResponse() throws {
        let client = BLIPConnection()
        client.send(BLIPMessage(body: [UInt8](repeating: 1, count: 100_000)))
        _ = try client.nextFrame()
        var writer = FrameWriter()
        let events = try client.receive(writer.message(1, FrameWriter.error))
        #expect(events.first?.failure?.number == 1)
        // The rest is sent nevertheless, as the other side waits for it.
        #expect(try client.sentFrames().last?.isLast == true)
    }

    @Test("Errors have descriptions with what is known")
    func descriptions() {
        #expect(BLIPErrorResponse("HTTP", 404).description == "HTTP 404")
        #expect(BLIPErrorResponse("HTTP", 404, "gone").description == "HTTP 404: gone")
        #expect(BLIPError.badFrame("x").closeCode == 1011)
        #expect(BLIPError.badFrame("because").description.contains("because"))
        #expect(BLIPError.tooLarge("too much").description.contains("too much"))
    }
}
