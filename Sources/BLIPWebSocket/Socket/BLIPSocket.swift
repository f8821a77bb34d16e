package import BLIP
internal import NIOCore

/// A connection of the protocol BLIP over a WebSocket.
///
/// ```swift
/// let socket = try await BLIPSocket.connect(webSocketRequest).socket
/// let request = BLIPMessage(["Profile": "getCheckpoint", "client": "cp-1"])
/// let response = try await socket.send(request)
/// await socket.close()
/// ```
///
/// What the other side requests is in ``requests``, which one task has to read.
package final class BLIPSocket: Sendable {
    /// The requests of the other side, in their order; the end when the connection is closed.
    package let requests: AsyncStream<BLIPRequest>
    /// The protocol that both sides agreed upon, such as `BLIP_3+CBMobile_4`.
    package let subprotocol: String

    private let eventLoop: any EventLoop
    private let handler: NIOLoopBound<BLIPSocketHandler>

    /// Takes over a channel whose handlers for WebSockets are in place. On its event loop.
    init(_ channel: any Channel, _ handler: BLIPSocketHandler, subprotocol: String) {
        eventLoop = channel.eventLoop
        requests = handler.requests
        self.subprotocol = subprotocol
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    deinit { run { $0.close(1001, "") } }

    private func run(_ body: @escaping @Sendable (BLIPSocketHandler) -> Void) {
        let handler = handler
        eventLoop.execute { body(handler.value) }
    }

    /// Sends a request, and waits for the response.
    ///
    /// - Throws: as ``BLIPPendingResponse/message()``.
    package func send(
        _ request: BLIPMessage, _ options: BLIPSendOptions = []
    ) async throws -> BLIPMessage {
        try await start(request, options).message()
    }

    /// Sends a request, after those that were sent before, and does not wait.
    package func start(
        _ request: BLIPMessage, _ options: BLIPSendOptions = []
    ) -> BLIPPendingResponse {
        let promise = eventLoop.makePromise(of: BLIPMessage.self)
        run { $0.send(request, options.subtracting(.noReply), .message(promise)) }
        return BLIPPendingResponse(promise: promise) { [self] in run { $0.cancel(promise) } }
    }

    /// Sends a request to which there is no response.
    package func post(_ request: BLIPMessage, _ options: BLIPSendOptions = []) {
        run { $0.send(request, options.union(.noReply), nil) }
    }

    /// Sends a request, and passes the body of the response on part by part.
    ///
    /// Up to 128,000 bytes, as they are sent, wait while a part is used.
    ///
    /// - Throws: as ``send(_:_:)``, and what `use` throws, after which the rest is ignored.
    package func receive(
        _ request: BLIPMessage, _ use: ([UInt8]) async throws -> Void
    ) async throws {
        let (parts, continuation) = AsyncThrowingStream<BLIPPart, any Error>.makeStream()
        run { $0.send(request, .streamedResponse, .parts(continuation)) }
        for try await part in parts {
            try await use(part.bytes)
            run { $0.didUse(part) }
        }
        try Task.checkCancellation()
    }

    /// Answers a request.
    ///
    /// - Parameter source: returns what follows the body, part by part, and nil at the end. It is
    ///   called on the event loop, and must not wait for anything but a disk.
    package func respond(
        to request: BLIPRequest, _ response: BLIPMessage = BLIPMessage(),
        _ options: BLIPSendOptions = [], source: (@Sendable () throws -> [UInt8]?)? = nil
    ) {
        run { $0.respond(to: request, response, options, source) }
    }

    /// Answers a request with an error.
    package func respond(to request: BLIPRequest, _ error: BLIPErrorResponse) {
        run { $0.respond(to: request, error) }
    }

    /// Closes the connection, and waits until it is.
    ///
    /// Requests without a response fail with ``WebSocketError/closed(code:_:)``.
    package func close(_ code: UInt16 = 1000, _ reason: String = "") async {
        run { $0.close(code, reason) }
        await waitUntilClosed()
    }

    /// Waits until the connection is closed, by either side; returns why.
    @discardableResult
    package func waitUntilClosed() async -> WebSocketError {
        let handler = handler
        let future = eventLoop.flatSubmit { handler.value.closed }
        return (try? await future.get()) ?? .closed(code: 1006, "")
    }
}

/// The response to a request that was sent.
package struct BLIPPendingResponse: Sendable {
    let promise: EventLoopPromise<BLIPMessage>
    let cancel: @Sendable () -> Void

    /// Waits for it.
    ///
    /// - Throws: `BLIPErrorResponse`; ``WebSocketError``; `CancellationError`, after which a
    ///   response is ignored.
    package func message() async throws -> BLIPMessage {
        try await withTaskCancellationHandler {
            try await promise.futureResult.get()
        } onCancel: {
            cancel()
        }
    }
}

/// What waits for a response.
enum SocketWaiting: Sendable {
    case message(EventLoopPromise<BLIPMessage>)
    case parts(AsyncThrowingStream<BLIPPart, any Error>.Continuation)

    func fail(_ error: any Error) {
        switch self {
        case .message(let promise): promise.fail(error)
        case .parts(let continuation): continuation.finish(throwing: error)
        }
    }
}
