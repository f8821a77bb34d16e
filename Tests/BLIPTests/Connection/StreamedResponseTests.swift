import SampleData
import Testing

@testable import BLIP

@Suite("Responses that are received in parts")
struct StreamedResponseTests {
    /// The window, and a frame that exceeds it.
    private static let window = 128_000 + 16_384

    /// A pair of which the server sends a body of so many bytes.
    private func pair(
        _ length: Int, limits: BLIPLimits = BLIPLimits(), _ options: BLIPSendOptions = []
    ) throws -> (pair: ConnectionPair, body: [UInt8]) {
        var random = SeededGenerator(seed: 3)
        let body = random.bytes(length)
        let pair = ConnectionPair(client: BLIPConnection(limits: limits))
        let request = try pair.request(BLIPMessage(), .streamedResponse)
        pair.server.respond(to: request, BLIPMessage(["a": "b"], body: body), options)
        return (pair, body)
    }

    @Test(
        "The parts are the body; the response has the properties",
        arguments: [[], .compressed] as [BLIPSendOptions])
    func parts(options: BLIPSendOptions) throws {
        let (pair, body) = try pair(500_000, options)
        var parts: [UInt8] = []
        var responses: [BLIPMessage] = []
        while true {
            let events = try pair.exchange().client
            guard !events.isEmpty else { break }
            for event in events {
                if let part = event.part {
                    #expect(part.number == 1 && responses.isEmpty)
                    parts += part.bytes
                    pair.client.didUse(part)
                }
                if let response = event.response { responses.append(response.message) }
            }
        }
        #expect(parts == body)
        #expect(responses == [BLIPMessage(["a": "b"])])
    }

    @Test("Without didUse the sender stops after the window")
    func withoutUse() throws {
        let (pair, _) = try pair(1_000_000)
        let parts = try pair.exchange().client.compactMap(\.part)
        let received = parts.map(\.bytes.count).reduce(0, +)
        #expect(received > 100_000 && received <= Self.window)
        #expect(try pair.exchange().client.isEmpty)
    }

    @Test("However slow the parts are used, at most a window waits")
    func slowUse() throws {
        let (pair, body) = try pair(2_000_000)
        var waiting: [BLIPPart] = []
        var (used, most) = (0, 0)
        var isComplete = false
        while true {
            let events = try pair.exchange().client
            waiting += events.compactMap(\.part)
            isComplete = isComplete || events.contains { $0.response != nil }
            most = max(most, waiting.map(\.bytes.count).reduce(0, +))
            guard !waiting.isEmpty else { break }
            let part = waiting.removeFirst()
            used += part.bytes.count
            pair.client.didUse(part)
        }
        #expect(used == body.count && isComplete)
        #expect(most <= Self.window)
    }

    @Test("The limit of the bytes of a message is that of the bytes that wait")
    func limit() throws {
        var limits = BLIPLimits()
        limits.message = 20_000
        limits.incompleteMessages = 20_000
        let (pair, _) = try pair(100_000, limits: limits)
        let events = try pair.exchange().client
        #expect(events.compactMap(\.part).map(\.bytes.count).reduce(0, +) == 100_000)
        #expect(events.last?.response != nil)
    }

    @Test("An empty body has no parts")
    func emptyBody() throws {
        let (pair, _) = try pair(0)
        let events = try pair.exchange().client
        #expect(events.count == 1)
        #expect(events.first?.response?.message == BLIPMessage(["a": "b"]))
    }

    @Test("An error has its whole message")
    func failure() throws {
        let pair = ConnectionPair()
        let request = try pair.request(BLIPMessage(), .streamedResponse)
        let error = BLIPErrorResponse("HTTP", 404, String(repeating: "missing ", count: 20_000))
        pair.server.respond(to: request, error)
        let events = try pair.exchange().client
        #expect(events.count == 1)
        #expect(events.first?.failure?.error == error)
    }

    @Test("Properties of several frames come before the first part")
    func longProperties() throws {
        let pair = ConnectionPair()
        let request = try pair.request(BLIPMessage(), .streamedResponse)
        let properties: BLIPProperties = ["a": String(repeating: "b", count: 90_000)]
        pair.server.respond(to: request, BLIPMessage(properties, body: [1, 2]))
        let events = try pair.exchange().client
        #expect(events.compactMap(\.part).map(\.bytes) == [[1, 2]])
        #expect(events.last?.response?.message.properties == properties)
    }

    @Test("Use of parts after the end, or of other connections, changes nothing")
    func lateUse() throws {
        let (pair, _) = try pair(60_000)
        let parts = try pair.exchange().client.compactMap(\.part)
        for part in parts { pair.client.didUse(part) }
        #expect(try pair.client.nextFrame() == nil)
        let other = BLIPConnection()
        for part in parts { other.didUse(part) }
        #expect(try other.nextFrame() == nil)
    }
}
