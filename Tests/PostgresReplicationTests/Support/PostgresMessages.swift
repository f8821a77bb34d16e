import Foundation

/// One direction of a connection, taken apart into the messages of PostgreSQL's protocol: a byte
/// for the type, and the length of the rest. The first message of a client has no type.
struct PostgresMessages {
    private var bytes: [UInt8] = []
    private var isStart: Bool

    init(isFromClient: Bool) {
        isStart = isFromClient
    }

    mutating func append(_ part: some Sequence<UInt8>) { bytes += part }

    /// The next message, if all of it has arrived.
    mutating func next() -> [UInt8]? {
        let header = isStart ? 0 : 1
        guard bytes.count >= header + 4 else { return nil }
        let length = bytes[header..<(header + 4)].reduce(0) { $0 << 8 | Int($1) }
        let end = header + max(length, 4)
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        isStart = false
        return Array(bytes[..<end])
    }
}

/// A stream socket of the machine, by its path.
struct LocalSocket: Sendable {
    let file: Int32

    private struct Failure: Error {
        let message: String
    }

    private static func address(_ path: String) throws -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        try withUnsafeMutableBytes(of: &address.sun_path) { buffer in
            guard bytes.count < buffer.count else { throw Failure(message: "too long: \(path)") }
            buffer.copyBytes(from: bytes)
        }
        return address
    }

    private init() throws {
        #if canImport(Glibc)
            let type = Int32(SOCK_STREAM.rawValue)
        #else
            let type = SOCK_STREAM
        #endif
        file = socket(AF_UNIX, type, 0)
        guard file >= 0 else { throw Failure(message: "socket: errno \(errno)") }
        // No child of another test inherits it.
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
    }

    private func with(
        _ path: String, _ use: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws {
        var address = try Self.address(path)
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else { throw Failure(message: "\(path): errno \(errno)") }
    }

    /// Connects to a socket.
    init(connectingTo path: String) throws {
        try self.init()
        try with(path) { connect(file, $0, $1) }
    }

    /// Creates a socket that accepts connections.
    init(listeningAt path: String) throws {
        try self.init()
        try with(path) { bind(file, $0, $1) }
        guard listen(file, 64) == 0 else { throw Failure(message: "listen: errno \(errno)") }
    }

    /// Sends all bytes; false if the other end is closed.
    static func send(_ bytes: some Collection<UInt8>, to file: Int32) -> Bool {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Receives what has arrived; nil if the other end is closed.
    static func receive(from file: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(file, &buffer, buffer.count)
        return count > 0 ? Array(buffer[..<count]) : nil
    }
}
