internal import KVToolCore
internal import NIOCore
internal import NIOHTTP1

/// A connection with a client: one request after the other.
struct HTTPConnection: Sendable {
    private typealias Requests = NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
    private typealias Responses = NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>

    private let connection: HTTPServer.Connection
    private let limits: HTTPLimits

    init(_ connection: HTTPServer.Connection, _ limits: HTTPLimits) {
        self.connection = connection
        self.limits = limits
    }

    /// Answers requests until the client closes the connection, or does not do what it should.
    func serve(_ respond: HTTPServer.Responder) async {
        try? await connection.executeThenClose { inbound, outbound in
            try await answer(inbound, outbound, respond)
        }
    }

    private func answer(
        _ inbound: NIOAsyncChannelInboundStream<HTTPServerRequestPart>, _ outbound: Responses,
        _ respond: HTTPServer.Responder
    ) async throws {
        var requests = inbound.makeAsyncIterator()
        while true {
            let end = closing(after: limits.requestSeconds)
            let received = try await receive(&requests, outbound)
            end.cancel()
            switch received {
            case .none: return
            case .refused(let response):
                return try await send(response, isLast: true, withBody: true, outbound)
            case .request(let request, let isLast):
                try await respond(request) { response in
                    try await send(
                        response, isLast: isLast, withBody: request.method != .HEAD, outbound,
                        version: request.isHTTP10 ? .http1_0 : .http1_1)
                }
                if isLast { return }
            }
        }
    }

    private enum Received {
        case none
        case request(HTTPRequest, isLast: Bool)
        case refused(HTTPResponse)
    }

    private func receive(
        _ requests: inout Requests, _ outbound: Responses
    ) async throws -> Received {
        guard case .head(let head)? = try await requests.next(isolation: #isolation) else {
            return .none
        }
        guard var request = HTTPRequest(head) else {
            return .refused(.error(.badRequest, "the path is not valid"))
        }
        let length = head.headers.first(name: "Content-Length").flatMap { Int($0) } ?? 0
        guard length <= limits.bodyBytes else { return .refused(tooLarge) }
        // The client sends the body once it knows that it is wanted.
        if head.version == .http1_1,
            head.headers.first(name: "Expect")?.lowercased() == "100-continue"
        {
            try await write(
                .head(HTTPResponseHead(version: .http1_1, status: .continue)), outbound)
        }
        while let part = try await requests.next(isolation: #isolation) {
            switch part {
            case .head: return .none
            case .body(let buffer):
                guard request.body.count + buffer.readableBytes <= limits.bodyBytes else {
                    return .refused(tooLarge)
                }
                request.body += buffer.readableBytesView
            case .end:
                // To a client of HTTP/1.0 only the end of the connection shows that of a stream.
                let isLast = !head.isKeepAlive || request.isHTTP10
                return .request(request, isLast: isLast)
            }
        }
        return .none
    }

    private var tooLarge: HTTPResponse {
        .error(.payloadTooLarge, "the body is larger than \(limits.bodyBytes >> 20) MiB")
    }

    /// Closes the connection after a time, unless it is cancelled.
    private func closing(after seconds: Int) -> Scheduled<Void> {
        let channel = connection.channel
        return channel.eventLoop.scheduleTask(in: .seconds(Int64(seconds))) {
            channel.close(promise: nil)
        }
    }

    private func send(
        _ response: HTTPResponse, isLast: Bool, withBody: Bool, _ outbound: Responses,
        version: HTTPVersion = .http1_1
    ) async throws {
        var head = HTTPResponseHead(
            version: version, status: response.status, headers: response.headers)
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        switch response.body {
        case .bytes(let bytes):
            // The length of an answer that has no body would be that of another one.
            if response.status != .notModified, response.status != .noContent {
                head.headers.replaceOrAdd(name: "Content-Length", value: "\(bytes.count)")
            }
            try await write(.head(head), outbound)
            if withBody, !bytes.isEmpty { try await write(bytes, outbound) }
        case .output(let output):
            try await write(.head(head), outbound)
            while withBody, let part = await output.next() { try await write(part, outbound) }
        case .events(let output, let errors):
            try await write(.head(head), outbound)
            guard withBody else { break }
            try await write(Array(": open\n\n".utf8), outbound)
            try await sendEvents(of: output, errors, outbound)
        }
        try await write(.end(nil), outbound)
    }

    /// Lines as events, and a comment where there is none for a while, which shows whether the
    /// client is there.
    private func sendEvents(
        of output: CommandOutput, _ errors: CommandErrors, _ outbound: Responses
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            let writer = EventWriter { bytes in try await write(bytes, outbound) }
            group.addTask {
                var lines = CommandOutput.Lines(output)
                while let next = await lines.next() { try await writer.send(next) }
                try await writer.send(errors.lines)
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(limits.pingSeconds))
                    try await writer.ping()
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func write(_ bytes: [UInt8], _ outbound: Responses) async throws {
        try await write(.body(.byteBuffer(ByteBuffer(bytes: bytes))), outbound)
    }

    private func write(_ part: HTTPServerResponsePart, _ outbound: Responses) async throws {
        let end = closing(after: limits.stallSeconds)
        defer { end.cancel() }
        try await outbound.write(part)
    }
}

/// Writes events, one after the other.
private actor EventWriter {
    private let write: @Sendable ([UInt8]) async throws -> Void

    init(_ write: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.write = write
    }

    func send(_ lines: [[UInt8]]) async throws {
        var text: [UInt8] = []
        for line in lines { text += Array("data: ".utf8) + line + [0x0A, 0x0A] }
        if !text.isEmpty { try await write(text) }
    }

    func ping() async throws { try await write(Array(": ping\n\n".utf8)) }
}
