internal import KVToolCore
internal import NIOCore
internal import NIOHTTP1

/// Writes responses to a client, and closes the connection if the client takes nothing.
struct HTTPResponseWriter: Sendable {
    private let channel: any Channel
    private let outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>
    private let limits: HTTPLimits
    private var version = HTTPVersion.http1_1
    private var withBody = true

    private static let partBytes = 1 << 16

    /// Thrown to close the connection where a response breaks off: its client must not take it for
    /// a whole one.
    private struct Incomplete: Error {}

    init(
        _ channel: any Channel, _ outbound: NIOAsyncChannelOutboundWriter<HTTPServerResponsePart>,
        _ limits: HTTPLimits
    ) {
        self.channel = channel
        self.outbound = outbound
        self.limits = limits
    }

    /// One for the response to a request.
    func answering(_ request: HTTPRequest) -> Self {
        var writer = self
        writer.version = request.isHTTP10 ? .http1_0 : .http1_1
        writer.withBody = request.method != .HEAD
        return writer
    }

    func sendContinue() async throws {
        try await write(.head(HTTPResponseHead(version: .http1_1, status: .continue)))
    }

    /// Sends a response.
    ///
    /// - Parameter isLast: whether the connection is to be closed after it.
    /// - Returns: whether another request may follow.
    @discardableResult
    func send(_ response: HTTPResponse, isLast: Bool) async throws -> Bool {
        var head = HTTPResponseHead(
            version: version, status: response.status, headers: response.headers)
        if case .bytes(let bytes) = response.body {
            // The length of an answer that has no body would be that of another one.
            if response.status != .notModified, response.status != .noContent {
                head.headers.replaceOrAdd(name: "Content-Length", value: "\(bytes.count)")
            }
            if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            try await write(.head(head))
            if withBody { try await write(bytes) }
            try await write(.end(nil))
            return !isLast
        }
        // Without its body, the end of one in chunks would be taken for the next response.
        let isLast = isLast || !withBody
        if isLast { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        try await write(.head(head))
        guard withBody else { return false }
        try await stream(response.body)
        try await write(.end(nil))
        return !isLast
    }

    private func stream(_ body: HTTPResponse.Body) async throws {
        switch body {
        case .bytes: break
        case .output(let output):
            while let part = await output.next() { try await write(part) }
            guard output.isComplete else { throw Incomplete() }
        case .events(let output, let errors):
            try await write(Array(": open\n\n".utf8))
            try await sendEvents(of: output, errors)
        }
    }

    /// Lines as events, and a comment where there is none for a while, which shows whether the
    /// client is there.
    private func sendEvents(
        of output: CommandOutput, _ errors: CommandErrors
    ) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var lines = CommandOutput.Lines(output)
                while let next = await lines.next() { try await writeEvents(next) }
                try await writeEvents(errors.lines)
            }
            group.addTask {
                while true {
                    try await Task.sleep(for: .seconds(limits.pingSeconds))
                    try await write(Array(": ping\n\n".utf8))
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    /// In one write each, between which a comment may come.
    private func writeEvents(_ lines: [[UInt8]]) async throws {
        var text: [UInt8] = []
        for line in lines { text += Array("data: ".utf8) + line + [0x0A, 0x0A] }
        if !text.isEmpty { try await write(.body(.byteBuffer(ByteBuffer(bytes: text)))) }
    }

    private func write(_ bytes: [UInt8]) async throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = rest.prefix(Self.partBytes)
            try await write(.body(.byteBuffer(ByteBuffer(bytes: part))))
            rest = rest.dropFirst(part.count)
        }
    }

    private func write(_ part: HTTPServerResponsePart) async throws {
        let end = channel.closing(after: limits.stallSeconds)
        defer { end.cancel() }
        try await outbound.write(part)
    }
}
