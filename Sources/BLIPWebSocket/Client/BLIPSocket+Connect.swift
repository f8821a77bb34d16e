internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL
internal import NIOWebSocket

extension BLIPSocket {
    private static let maximumRedirections = 10

    /// Opens a connection; follows redirections.
    ///
    /// - Returns: the connection, and the cookies that the server set, as in `Set-Cookie`.
    /// - Throws: ``WebSocketError``; `CancellationError`.
    package static func connect(
        _ request: WebSocketRequest
    ) async throws -> (socket: BLIPSocket, cookies: [String]) {
        var request = request
        for _ in 0...maximumRedirections {
            try Task.checkCancellation()
            switch try await attempt(request) {
            case .opened(let socket, let cookies): return (socket, cookies)
            case .again(let next): request = next
            }
        }
        throw WebSocketError.incompatible(
            "the server redirects more than \(maximumRedirections) times")
    }

    private enum Attempt {
        case opened(BLIPSocket, [String])
        case again(WebSocketRequest)
    }

    private static func attempt(_ request: WebSocketRequest) async throws -> Attempt {
        let channel = try await open(request)
        do {
            let opening = WebSocketOpening(channel, request)
            let response = try await opening.response()
            if response.status == 101 {
                let socket = try await opening.upgraded(response)
                return .opened(socket, response.headers["Set-Cookie"])
            }
            channel.close(promise: nil)
            return .again(try next(request, after: response))
        } catch let error as WebSocketError {
            channel.close(promise: nil)
            throw error
        } catch {
            channel.close(promise: nil)
            try Task.checkCancellation()
            throw WebSocketError.unreachable("\(request.url.authority): \(error)")
        }
    }

    private static func open(_ request: WebSocketRequest) async throws -> any Channel {
        do {
            return try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connectTimeout(.seconds(request.connectSeconds))
                .channelOption(.socketOption(.tcp_nodelay), value: 1)
                .connect(host: request.url.host, port: request.url.port).get()
        } catch let error as ChannelError {
            if case .connectTimeout = error {
                throw WebSocketError.timeout("connecting with \(request.url.authority)")
            }
            throw WebSocketError.unreachable("\(request.url.authority): \(error)")
        } catch {
            throw WebSocketError.unreachable("\(request.url.authority): \(error)")
        }
    }

    /// The request after a redirection, or with credentials that the server wants.
    private static func next(
        _ request: WebSocketRequest, after response: WebSocketResponse
    ) throws -> WebSocketRequest {
        var next = request
        switch response.status {
        case 301, 302, 307, 308:
            guard let location = response.headers.first(name: "Location"),
                let url = request.url.redirected(to: location)
            else { break }
            next.url = url
            if url.host != request.url.host || url.usesTLS != request.url.usesTLS {
                next.headers.removeAll {
                    ["authorization", "cookie"].contains($0.name.lowercased())
                }
                next.authorizationOnChallenge = nil
            }
            return next
        case 401:
            guard let authorization = request.authorizationOnChallenge,
                response.headers.first(name: "WWW-Authenticate")?.lowercased()
                    .hasPrefix("basic") ?? false
            else { break }
            next.authorizationOnChallenge = nil
            next.headers.append(("Authorization", authorization))
            return next
        case 200..<300: throw WebSocketError.incompatible("the server did not open a WebSocket")
        default: break
        }
        throw WebSocketError.refused(status: response.status, response.reason)
    }
}

/// A channel on which a WebSocket is being opened.
private struct WebSocketOpening {
    private let channel: any Channel
    private let request: WebSocketRequest
    private let promise: EventLoopPromise<WebSocketResponse>

    init(_ channel: any Channel, _ request: WebSocketRequest) {
        self.channel = channel
        self.request = request
        promise = channel.eventLoop.makePromise()
    }

    /// Sends the request, and waits for the response.
    func response() async throws -> WebSocketResponse {
        let (channel, request, promise) = (channel, request, promise)
        let timeout = channel.eventLoop.scheduleTask(in: .seconds(request.connectSeconds)) {
            promise.fail(WebSocketError.timeout("opening a WebSocket at \(request.url)"))
        }
        let tls = request.url.usesTLS ? try request.tls.clientContext() : nil
        channel.eventLoop.execute {
            do {
                try Self.addHandlers(channel, request, tls, promise)
            } catch {
                promise.fail(WebSocketError.unreachable("\(error)"))
            }
        }
        defer { timeout.cancel() }
        return try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            channel.close(promise: nil)
        }
    }

    private static func addHandlers(
        _ channel: any Channel, _ request: WebSocketRequest, _ tls: NIOSSLContext?,
        _ promise: EventLoopPromise<WebSocketResponse>
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if let tls {
            // The name of the server is not sent if it is an address.
            let isAddress = (try? SocketAddress(ipAddress: request.url.host, port: 0)) != nil
            try pipeline.addHandler(
                NIOSSLClientHandler(
                    context: tls, serverHostname: isAddress ? nil : request.url.host))
        }
        try pipeline.addHandler(HTTPRequestEncoder(), name: "encoder")
        try pipeline.addHandler(
            ByteToMessageHandler(HTTPResponseDecoder(leftOverBytesStrategy: .forwardBytes)),
            name: "decoder")
        try pipeline.addHandler(WebSocketHandshake(request, promise), name: "handshake")
    }

    /// Replaces the handlers of HTTP by those of WebSockets.
    func upgraded(_ response: WebSocketResponse) async throws -> BLIPSocket {
        let (channel, request) = (channel, request)
        return try await channel.eventLoop.flatSubmit {
            let pipeline = channel.pipeline.syncOperations
            do {
                let handshake = try pipeline.handler(type: WebSocketHandshake.self)
                let subprotocol = try handshake.subprotocol(of: response)
                let handler = try channel.addWebSocketHandlers(request.socket, isClient: true)
                let socket = BLIPSocket(channel, handler, subprotocol: subprotocol)
                return pipeline.removeHandler(name: "encoder")
                    .flatMap { channel.pipeline.removeHandler(name: "decoder") }
                    .flatMap { channel.pipeline.removeHandler(name: "handshake") }
                    .map { socket }
            } catch {
                return channel.eventLoop.makeFailedFuture(error)
            }
        }.get()
    }
}

extension Channel {
    /// Adds the handlers of a WebSocket with BLIP; returns the last one. On the event loop.
    func addWebSocketHandlers(
        _ settings: BLIPSocketSettings, isClient: Bool
    ) throws -> BLIPSocketHandler {
        let pipeline = pipeline.syncOperations
        try pipeline.addHandler(WebSocketFrameEncoder())
        try pipeline.addHandler(
            ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: settings.maximumFrame)))
        return try addBLIPHandlers(settings, isClient: isClient)
    }

    /// Adds those that follow the encoder and the decoder of WebSockets; returns the last one.
    func addBLIPHandlers(
        _ settings: BLIPSocketSettings, isClient: Bool
    ) throws -> BLIPSocketHandler {
        let pipeline = pipeline.syncOperations
        try pipeline.addHandler(WebSocketProtocolErrorHandler(isServer: !isClient))
        try pipeline.addHandler(
            NIOWebSocketFrameAggregator(
                minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: settings.maximumFrame,
                maxAccumulatedFrameSize: settings.maximumFrame))
        let handler = BLIPSocketHandler(settings, on: eventLoop, isClient: isClient)
        try pipeline.addHandler(handler)
        return handler
    }
}
