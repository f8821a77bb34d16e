internal import NIOCore
internal import NIOHTTP1

/// A connection with a client: one request after the other.
struct HTTPConnection: Sendable {
    private typealias Connection = NIOAsyncChannel<HTTPServerRequestPart, HTTPServerResponsePart>
    private typealias Requests = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private typealias Writer = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private let channel: any Channel
    private let limits: HTTPLimits
    private let responder: any HTTPResponder

    /// - Parameter channel: a channel without handlers, which does not read yet.
    init(_ channel: any Channel, _ limits: HTTPLimits, _ responder: any HTTPResponder) {
        self.channel = channel
        self.limits = limits
        self.responder = responder
    }

    /// Answers requests until the client closes the connection, or does not do what it should. A
    /// client that leaves cancels the answer to its request.
    func serve() async {
        guard let connection = try? await opened() else { return channel.close(promise: nil) }
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                try? await connection.executeThenClose { inbound, outbound in
                    try await answer(inbound, HTTPResponseWriter(channel, outbound, limits))
                }
            }
            group.addTask { try? await channel.closeFuture.get() }
            await group.next()
            group.cancelAll()
        }
    }

    private func opened() async throws -> Connection {
        let channel = channel
        return try await channel.eventLoop.submit {
            try channel.pipeline.syncOperations.configureHTTPServerPipeline()
            let connection = try Connection(wrappingChannelSynchronously: channel)
            try channel.syncOptions?.setOption(.autoRead, value: true)
            return connection
        }.get()
    }

    private func answer(
        _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>,
        _ writer: HTTPResponseWriter
    ) async throws {
        var requests = inbound.makeAsyncIterator()
        while true {
            switch try await receive(&requests, writer) {
            case .none: return
            case .refused(let response):
                try await writer.send(response, isLast: true)
                return try await drain(&requests)
            case .request(let request, let isLast):
                // To a client of HTTP/1.0 only the end of the connection shows that of a stream.
                var goesOn = !isLast && !request.isHTTP10
                let writer = writer.answering(request)
                try await responder.respond(to: request) { response in
                    goesOn = try await writer.send(response, isLast: !goesOn)
                }
                guard goesOn else { return }
            }
        }
    }

    private enum Received {
        case none
        case request(HTTPRequest, isLast: Bool)
        case refused(HTTPResponse)
    }

    private func receive(
        _ requests: inout Requests, _ writer: HTTPResponseWriter
    ) async throws -> Received {
        guard case .head(let head)? = try await next(&requests) else { return .none }
        guard var request = HTTPRequest(head) else {
            return .refused(.error(.badRequest, "the path is not valid"))
        }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        let hasBody = length > 0 || head.headers.contains(name: "Transfer-Encoding")
        if hasBody, let refusal = responder.refusal(ofBodyOf: request) { return .refused(refusal) }
        let maximum = responder.largestBody(of: request)
        guard length <= maximum else { return .refused(Self.tooLarge(maximum)) }
        // The client sends the body once it knows that it is wanted.
        if head.version == .http1_1,
            head.headers.first(name: "Expect")?.lowercased() == "100-continue"
        {
            try await writer.sendContinue()
        }
        while let part = try await next(&requests) {
            switch part {
            case .head: return .none
            case .body(let buffer):
                guard request.body.count + buffer.readableBytes <= maximum else {
                    return .refused(Self.tooLarge(maximum))
                }
                request.body += buffer.readableBytesView
            case .end: return .request(request, isLast: !head.isKeepAlive)
            }
        }
        return .none
    }

    private static func tooLarge(_ maximum: Int) -> HTTPResponse {
        .error(.payloadTooLarge, "the body is larger than \(maximum >> 20) MiB")
    }

    /// The next part of a request; nil if the client has closed the connection, or was silent for
    /// too long.
    private func next(_ requests: inout Requests) async throws -> HTTPServerRequestPart? {
        let end = channel.closing(after: limits.idleSeconds)
        defer { end.cancel() }
        return try await requests.next(isolation: #isolation)
    }

    /// Reads the rest of a body for a while: if the connection is closed with unread bytes, the
    /// client does not see the response.
    private func drain(_ requests: inout Requests) async throws {
        let end = channel.closing(after: limits.refusalSeconds)
        defer { end.cancel() }
        while case .body? = try await requests.next(isolation: #isolation) {}
    }
}

extension Channel {
    /// Closes the channel after a time, unless it is cancelled.
    func closing(after seconds: Int) -> Scheduled<Void> {
        eventLoop.scheduleTask(in: .seconds(Int64(seconds))) { self.close(promise: nil) }
    }
}
