import Foundation
import PostgresReplication
import ProjectTestSupport
import StoreTestSupport
import Synchronization

/// A socket before that of a server. It passes messages on in both directions, until one of them
/// fails as planned.
final class PostgresProxy: Sendable {
    /// What happens to a message.
    enum Fault: Sendable {
        /// The connection ends after it.
        case cut
        /// The connection ends after the first half of it.
        case cutInside
        /// After the first half of it nothing is passed on any more, on no connection, and all of
        /// them stay.
        case silence
        /// The client receives these bytes instead, if it is a message for the client; then the
        /// connection ends.
        case replacement([UInt8])
    }

    private struct State {
        /// How many messages were passed on since the fault was planned.
        var count = 0
        var plan: (message: Int, fault: Fault)?
        var isStopped = false
        var isSilent = false
        /// Whether the fault has happened.
        var isOver = false
    }

    /// What is open, and whether anything may be.
    private struct Network {
        var isDown = false
        var clients: Set<Int32> = []
    }

    private let directory: TemporaryDirectory
    private let server: String
    private let socket: LocalSocket
    private let state = Mutex(State())
    private let network = Mutex(Network())

    init(_ server: PostgresServer) throws {
        // A closed connection is an error, not a signal.
        signal(SIGPIPE, SIG_IGN)
        directory = try TemporaryDirectory()
        self.server = server.directory(".s.PGSQL.5432")
        socket = try LocalSocket(listeningAt: directory(".s.PGSQL.5432"))
        Thread.detachNewThread { [socket, weak self] in
            while true {
                let client = accept(socket.file, nil, nil)
                guard client >= 0, let self, !self.isStopped else {
                    close(client)
                    close(socket.file)
                    return
                }
                self.serve(client)
            }
        }
    }

    /// Ends the thread that accepts connections.
    func stop() {
        state.withLock { $0.isStopped = true }
        if let last = try? LocalSocket(connectingTo: directory(".s.PGSQL.5432")) {
            close(last.file)
        }
    }

    private var isSilent: Bool { state.withLock { $0.isSilent } }
    private var isStopped: Bool { state.withLock { $0.isStopped } }

    /// An endpoint through the proxy.
    func endpoint(
        schema: String, answerTimeout: Duration = .seconds(120)
    ) throws -> PostgresEndpoint {
        try PostgresEndpoint(
            Self.url(of: [self]), schema: schema, answerTimeout: answerTimeout)
    }

    /// A connection string for whichever of the servers accepts changes.
    static func url(of proxies: [PostgresProxy]) -> String {
        let hosts = proxies.map { proxy in
            proxy.directory.path.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        }
        return "postgresql://store@\(hosts.joined(separator: ","))/postgres"
    }

    /// Ends all connections.
    ///
    /// - Parameter isDown: whether there can be none until the next call.
    func disconnect(isDown: Bool = false) {
        network.withLock { network in
            network.isDown = isDown
            for client in network.clients { shutdown(client, Int32(SHUT_RDWR)) }
        }
    }

    /// Counts messages from now on, and lets one of them fail.
    func plan(_ fault: Fault, message: Int) {
        state.withLock { $0 = State(plan: (message, fault)) }
    }

    /// Passes everything on; returns whether the fault has happened, and the number of messages.
    @discardableResult
    func heal() -> (hasFailed: Bool, count: Int) {
        state.withLock { state in
            defer { state = State() }
            return (state.isOver, state.count)
        }
    }

    /// Waits until the fault has happened.
    func waitForFault() async throws {
        while !state.withLock({ $0.isOver }) { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func next() -> Fault? {
        state.withLock { state in
            state.count += 1
            guard let plan = state.plan, state.count == plan.message else { return nil }
            state.isOver = true
            return plan.fault
        }
    }

    /// Passes on what two ends send, on a thread of its own.
    private func serve(_ client: Int32) {
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        guard let server = try? LocalSocket(connectingTo: server) else {
            close(client)
            return
        }
        let isDown = network.withLock { network in
            if !network.isDown { network.clients.insert(client) }
            return network.isDown
        }
        guard !isDown else {
            for end in [client, server.file] { close(end) }
            return
        }
        Thread.detachNewThread {
            let ends = [client, server.file]
            var streams = [
                PostgresMessages(isFromClient: true), PostgresMessages(isFromClient: false),
            ]
            var isSilent = false
            loop: while true {
                var files = ends.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                guard poll(&files, 2, -1) > 0 else { break }
                for index in 0..<2 where files[index].revents != 0 {
                    guard let bytes = LocalSocket.receive(from: ends[index]) else { break loop }
                    streams[index].append(bytes)
                    isSilent = isSilent || self.isSilent
                    while !isSilent, let message = streams[index].next() {
                        guard self.pass(message, index, ends, &isSilent) else { break loop }
                    }
                }
            }
            self.network.withLock { network in
                _ = network.clients.remove(client)
                for end in ends { close(end) }
            }
        }
    }

    /// Passes on a message; false if the connection ends.
    private func pass(
        _ message: [UInt8], _ sender: Int, _ ends: [Int32], _ isSilent: inout Bool
    ) -> Bool {
        let receiver = ends[1 - sender]
        switch next() {
        case nil: return LocalSocket.send(message, to: receiver)
        case .cut:
            _ = LocalSocket.send(message, to: receiver)
            return false
        case .cutInside:
            _ = LocalSocket.send(message.prefix(message.count / 2), to: receiver)
            return false
        case .silence:
            isSilent = true
            state.withLock { $0.isSilent = true }
            return LocalSocket.send(message.prefix(message.count / 2), to: receiver)
        case .replacement(let bytes):
            _ = LocalSocket.send(sender == 1 ? bytes : message, to: receiver)
            return false
        }
    }
}
