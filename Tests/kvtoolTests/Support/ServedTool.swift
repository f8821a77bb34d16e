import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// `kvtool serve` as a process, and a client that speaks HTTP to it.
final class ServedTool {
    static let token = "abcdefghijklmnop0123456789"

    private let tool: RunningTool
    let port: Int

    convenience init(_ arguments: String...) throws {
        try self.init(arguments, host: "127.0.0.1")
    }

    /// One that others reach, too.
    convenience init(_ path: String, host: String) throws {
        try self.init([path, "--host", host], host: host)
    }

    private init(_ arguments: [String], host: String) throws {
        // A connection that the server closes is an error, not a signal.
        signal(SIGPIPE, SIG_IGN)
        tool = try RunningTool(["serve", "--token", Self.token] + arguments)
        let url = try #require(tool.line())
        port = try #require(
            url.split(separator: ":").last?.split(separator: "/").first.flatMap {
                Int($0)
            })
        #expect(url == "http://\(host):\(port)/#token=\(Self.token)")
    }

    /// The number of the process.
    var id: Int32 { tool.id }

    /// Ctrl-C; returns the exit status.
    func interrupt() -> Int32 { tool.interrupt().status }

    struct Answer {
        let status: Int
        let headers: [String: String]
        let body: Data

        var text: String { String(decoding: body, as: UTF8.self) }

        /// The message of an error.
        var message: String {
            let object = try? JSONSerialization.jsonObject(with: body) as? [String: Any]
            return (object?["error"] as? [String: Any])?["message"] as? String ?? ""
        }
    }

    static let authorized = ["Authorization": "Bearer \(token)"]
    static let changing = authorized.merging(["X-Inspector": "1"]) { _, new in new }

    /// Asks for data.
    func get(_ path: String, _ headers: [String: String] = authorized) throws -> Answer {
        try send("GET", path, headers)
    }

    /// Sends a request.
    func send(
        _ method: String, _ path: String, _ headers: [String: String] = changing,
        _ body: String = ""
    ) throws -> Answer {
        var all = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
        all.merge(headers) { _, new in new }
        if !body.isEmpty { all["Content-Length"] = "\(body.utf8.count)" }
        let lines = all.map { "\($0.key): \($0.value)\r\n" }.joined()
        return try answer(to: "\(method) \(path) HTTP/1.1\r\n\(lines)\r\n\(body)")
    }

    /// Sends text, and receives until the server closes the connection.
    func answer(to text: String) throws -> Answer {
        let socket = try open(text)
        defer { close(socket) }
        var bytes = Data()
        while let part = Self.receive(socket) { bytes += part }
        return Self.answer(in: bytes)
    }

    /// Sends text on a connection that stays open.
    func open(_ text: String) throws -> Int32 {
        let file = try #require(Loopback.connected(to: port))
        var patience = timeval(tv_sec: 60, tv_usec: 0)
        setsockopt(
            file, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            rest = rest.dropFirst(count)
        }
        return file
    }

    /// What has arrived; nil at the end.
    static func receive(_ file: Int32) -> Data? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(file, &buffer, buffer.count, 0)
        return count > 0 ? Data(buffer[..<count]) : nil
    }

    private static func answer(in bytes: Data) -> Answer {
        guard let end = bytes.range(of: Data("\r\n\r\n".utf8)) else {
            return Answer(status: 0, headers: [:], body: bytes)
        }
        let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
            .components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.components(separatedBy: ": ")
            headers[sides[0]] = sides.dropFirst().joined(separator: ": ")
        }
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let body = bytes[end.upperBound...]
        let isChunked = headers["transfer-encoding"] == "chunked"
        return Answer(
            status: status, headers: headers, body: isChunked ? joined(body) : Data(body))
    }

    /// The bytes of chunks.
    private static func joined(_ chunks: Data) -> Data {
        var (rest, body) = (chunks, Data())
        while let end = rest.range(of: Data("\r\n".utf8)) {
            let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16)
            guard let size, size > 0, rest[end.upperBound...].count >= size + 2 else { break }
            body += rest[end.upperBound...].prefix(size)
            rest = rest[end.upperBound...].dropFirst(size + 2)
        }
        return body
    }
}
