import SampleData
import Testing

@testable import BLIP

/// Two connections exchange random messages while frames are taken and delivered in random order.
@Suite("Random exchanges", .timeLimit(.minutes(20)))
struct ExchangeTests {
    @Test("All messages arrive as they were sent, each once", arguments: 0..<12 as Range<UInt64>)
    func exchange(chunk: UInt64) throws {
        let seed = SeededGenerator.testSeed &+ chunk
        var exchange = Exchange(seed: seed)
        try exchange.run(messages: 60)
        #expect(exchange.problems.isEmpty, "STORE_SEED=\(seed): \(exchange.problems)")
        #expect(exchange.responses > 20, "STORE_SEED=\(seed)")
    }
}

/// A side of the exchange, and what it waits for.
private struct ExchangeSide {
    /// A request that was sent.
    struct Sent {
        var message: BLIPMessage
        var options: BLIPSendOptions
        var hasArrived = false
    }

    /// A response that the other side sent, and its bytes that arrived in parts.
    struct Expected {
        var message: BLIPMessage
        var error: BLIPErrorResponse?
        var parts: [UInt8] = []
    }

    let connection: BLIPConnection
    var sent: [UInt64: Sent] = [:]
    var expected: [UInt64: Expected] = [:]
    /// Frames that are on their way to the other side.
    var wire: [[UInt8]] = []
    /// What was received and has no response, or was not used.
    var requests: [BLIPRequest] = []
    var parts: [BLIPPart] = []
}

private struct Exchange {
    private var random: SeededGenerator
    private var sides: [ExchangeSide]
    /// Whether parts are used more slowly than they are received.
    private let isSlow: Bool
    private(set) var responses = 0
    private(set) var problems: [String] = []

    /// The bytes of a streamed response that wait at most: the window, and a frame that exceeds it.
    private static let window = 128_000 + 16_384

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        isSlow = seed.isMultiple(of: 2)
        sides = [6, Int32(random.below(10))].map {
            ExchangeSide(connection: BLIPConnection(compressionLevel: $0))
        }
    }

    mutating func run(messages: Int) throws {
        var rest = messages
        while try rest > 0 || !isIdle() {
            let side = random.below(2)
            switch random.below(10) {
            case 0 where rest > 0:
                send(side)
                rest -= 1
            case 1...4: try takeFrame(side)
            case 5...7: try deliverFrame(side)
            case 8: respond(side)
            default: usePart(side)
            }
            guard problems.count < 5 else { return }
        }
        for side in sides {
            let isMissing = side.sent.values.contains { !$0.hasArrived }
            if isMissing { problems.append("a request did not arrive") }
            if !side.expected.isEmpty { problems.append("no response") }
        }
    }

    /// Whether nothing is left to do; takes the next frames to find out.
    private mutating func isIdle() throws -> Bool {
        for side in 0..<2 {
            guard sides[side].wire.isEmpty else { return false }
            try takeFrame(side)
        }
        return sides.allSatisfy { $0.wire.isEmpty && $0.requests.isEmpty && $0.parts.isEmpty }
    }

    private mutating func message() -> BLIPMessage {
        let length = random.below(random.pick([2, 100, 5000, 60_000, 300_000]))
        let body = random.oneIn(2) ? random.bytes(length) : random.compressibleBytes(length)
        var properties: BLIPProperties = random.oneIn(3) ? [:] : ["Profile": "rev", "empty": ""]
        if random.oneIn(5) {
            properties["long"] = String(repeating: "long ", count: random.below(8000))
        }
        return BLIPMessage(properties, body: body)
    }

    private mutating func options(_ possible: [BLIPSendOptions]) -> BLIPSendOptions {
        possible.reduce(into: []) { if random.oneIn(3) { $0.formUnion($1) } }
    }

    private mutating func send(_ side: Int) {
        let message = message()
        let options = options([.compressed, .urgent, .noReply, .streamedResponse])
        let number = sides[side].connection.send(message, options)
        if sides[side].sent[number] != nil { problems.append("\(number) is sent twice") }
        sides[side].sent[number] = .init(message: message, options: options)
    }

    private mutating func takeFrame(_ side: Int) throws {
        guard let frame = try sides[side].connection.nextFrame() else { return }
        if frame.count > 16_384 { problems.append("a frame has \(frame.count) bytes") }
        sides[side].wire.append(frame)
    }

    private mutating func deliverFrame(_ side: Int) throws {
        guard !sides[side].wire.isEmpty else { return }
        let frame = sides[side].wire.removeFirst()
        for event in try sides[1 - side].connection.receive(frame) { receive(event, 1 - side) }
    }

    private mutating func receive(_ event: BLIPEvent, _ side: Int) {
        switch event {
        case .request(let request): receive(request, side)
        case .part(let part):
            sides[side].expected[part.number]?.parts += part.bytes
            sides[side].parts.append(part)
            let waiting = sides[side].parts.filter { $0.number == part.number }
            if waiting.map(\.length).reduce(0, +) > Self.window {
                problems.append("\(waiting.count) parts wait")
            }
        case .response(let number, let message):
            guard let expected = sides[side].expected.removeValue(forKey: number) else {
                return problems.append("a second response \(number)")
            }
            let whole = BLIPMessage(message.properties, body: expected.parts + message.body)
            if expected.error != nil || whole != expected.message {
                problems.append("the response \(number) differs")
            }
        case .failure(let number, let error):
            let expected = sides[side].expected.removeValue(forKey: number)
            if expected?.error != error { problems.append("the error \(number) differs") }
        }
    }

    private mutating func receive(_ request: BLIPRequest, _ side: Int) {
        guard let sent = sides[1 - side].sent[request.number], !sent.hasArrived,
            sent.message == request.message,
            sent.options.contains(.noReply) != request.wantsResponse,
            sent.options.contains(.urgent) == request.isUrgent
        else { return problems.append("the request \(request.number) differs") }
        sides[1 - side].sent[request.number]?.hasArrived = true
        if request.wantsResponse { sides[side].requests.append(request) }
    }

    private mutating func respond(_ side: Int) {
        guard !sides[side].requests.isEmpty else { return }
        let request = sides[side].requests.remove(at: random.below(sides[side].requests.count))
        responses += 1
        let message = message()
        guard !random.oneIn(6) else {
            let error = BLIPErrorResponse("HTTP", 404, String(repeating: "x", count: 500))
            sides[1 - side].expected[request.number] = .init(message: message, error: error)
            return sides[side].connection.respond(to: request, error)
        }
        sides[1 - side].expected[request.number] = .init(message: message)
        let options = options([.compressed, .urgent])
        guard random.oneIn(2) else {
            return sides[side].connection.respond(to: request, message, options)
        }
        // The same body, of which the source returns all but the first bytes.
        let start = min(100, message.body.count)
        var rest = message.body[start...]
        let length = 1 + random.below(40_000)
        sides[side].connection.respond(
            to: request, BLIPMessage(message.properties, body: Array(message.body[..<start])),
            options
        ) {
            defer { rest = rest.dropFirst(length) }
            return rest.isEmpty ? nil : Array(rest.prefix(length))
        }
    }

    private mutating func usePart(_ side: Int) {
        guard !sides[side].parts.isEmpty, !isSlow || random.oneIn(20) else { return }
        sides[side].connection.didUse(sides[side].parts.removeFirst())
    }
}
