internal import CPQ
internal import Dispatch
internal import Replication
internal import StorePlatform

/// A statement and its parameters.
struct PostgresStatement: Sendable {
    let sql: String
    let values: [PostgresValue]

    init(_ sql: String, _ values: [PostgresValue] = []) {
        self.sql = sql
        self.values = values
    }
}

/// A connection with a server. It is used by one thread at a time, of its `PostgresWorker`.
final class PostgresConnection {
    private let handle: OpaquePointer
    private let wake: WakePipe
    /// How long the server may be silent during a statement; nil for any time.
    private let answerSeconds: Double?
    /// The cancellation of the current call.
    var interruption: Interruption?
    /// The names of prepared statements, by their SQL.
    private var prepared: [String: String] = [:]
    private var preparedCount = 0
    /// The channels whose notifications are received.
    var channels: Set<String> = []

    /// Connects. `PQconnectStart`
    init(
        _ host: PostgresHost, answerSeconds: Double?, _ wake: WakePipe,
        _ interruption: Interruption
    ) throws {
        guard let handle = PQconnectStart(host.parameters) else {
            throw ReplicationError(.unreachable, "there is no memory for a connection")
        }
        self.handle = handle
        self.wake = wake
        self.answerSeconds = answerSeconds
        self.interruption = interruption
        // `deinit` finishes the connection also if this fails.
        try connect(within: host.seconds)
        self.interruption = nil
    }

    deinit { PQfinish(handle) }

    private func connect(within seconds: Int) throws {
        var status = PGRES_POLLING_WRITING
        let deadline = ContinuousClock.now + .seconds(seconds)
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED, PQstatus(handle) != CONNECTION_BAD else {
                throw connectionError()
            }
            let isReady = try wait(
                reading: status == PGRES_POLLING_READING, writing: status == PGRES_POLLING_WRITING,
                until: deadline, isInStatement: false)
            guard isReady else {
                throw Self.silent(Double(seconds))
            }
            status = PQconnectPoll(handle)
        }
        PQsetnonblocking(handle, 1)
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    /// Whether the server says that it has no notifications, and no lock of a feed's row that
    /// orders transactions: CockroachDB.
    var isCockroach: Bool { PQparameterStatus(handle, "crdb_version") != nil }

    /// The server's process for this connection. `PQbackendPID`
    var backend: Int32 { PQbackendPID(handle) }

    func nextNotification() -> UnsafeMutablePointer<PGnotify>? { PQnotifies(handle) }

    private func connectionError() -> ReplicationError {
        let message = message
        let isRefused = [
            "authentication", "no password supplied", "no pg_hba.conf entry", "does not exist",
            "certificate", "does not support SSL",
        ].contains { message.contains($0) }
        // What answers does not speak the protocol.
        let isOther = message.contains("expected authentication request")
        return ReplicationError(
            isRefused && !isOther ? .unauthorized : .unreachable, "PostgreSQL: \(message)")
    }

    /// The last error of libpq on one line. `PQerrorMessage`
    private var message: String {
        let message = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
        return message.split { $0 == "\n" || $0 == "\t" }.joined(separator: "; ")
    }
}

// Waiting.
extension PostgresConnection {
    /// Waits for the socket; false at the deadline. `poll`
    ///
    /// - Parameter isInStatement: whether the server runs a statement, which a cancellation ends.
    func wait(
        reading: Bool, writing: Bool, until deadline: ContinuousClock.Instant?,
        isInStatement: Bool = true
    ) throws -> Bool {
        while true {
            if interruption?.isRequested == true {
                if isInStatement { cancel() }
                throw CancellationError()
            }
            let events = (reading ? POLLIN : 0) | (writing ? POLLOUT : 0)
            var files = [
                pollfd(fd: PQsocket(handle), events: Int16(events), revents: 0),
                pollfd(fd: wake.reading, events: Int16(POLLIN), revents: 0),
            ]
            let left = deadline.map { max($0 - .now, .zero) / .milliseconds(1) }
            let timeout = left.map { Int32(min($0, 1e6)) + 1 } ?? -1
            let count = poll(&files, nfds_t(files.count), timeout)
            // The longest wait of `poll` may be shorter.
            if count == 0, let deadline, deadline <= .now { return false }
            if files[1].revents != 0 { wake.drain() }
            if files[0].revents != 0 { return true }
        }
    }

    /// Waits until the server sends something, or with `writing` accepts it.
    func waitForAnswer(writing: Bool = false) throws {
        let deadline = answerSeconds.map { ContinuousClock.now + .seconds($0) }
        guard try !wait(reading: true, writing: writing, until: deadline) else { return }
        cancel()
        throw Self.silent(answerSeconds ?? 0)
    }

    private static func silent(_ seconds: Double) -> ReplicationError {
        let text = seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
        return ReplicationError(
            .unreachable, "PostgreSQL: the server did not answer within \(text) s")
    }

    /// Asks the server to end the current statement. `PQcancel`
    ///
    /// It opens a connection of its own, without a timeout: a server that does not answer would
    /// delay the cancellation for minutes. After a second it goes on beside; the connection is not
    /// used any more.
    private func cancel() {
        nonisolated(unsafe) let request = PQgetCancel(handle)
        guard request != nil else { return }
        let isSent = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            var message = [CChar](repeating: 0, count: 256)
            PQcancel(request, &message, Int32(message.count))
            PQfreeCancel(request)
            isSent.signal()
        }
        _ = isSent.wait(timeout: .now() + 1)
    }

    /// Receives what has arrived. `PQconsumeInput`
    func receive() throws {
        guard PQconsumeInput(handle) == 1 else { throw lost() }
    }

    /// Sends all that is queued, and receives meanwhile, so that neither side waits for the other.
    private func flush() throws {
        while true {
            let result = PQflush(handle)
            if result == 0 { return }
            guard result == 1 else { throw lost() }
            try waitForAnswer(writing: true)
            try receive()
        }
    }

    /// The next result; nil at the end of a statement.
    func nextResult() throws -> PostgresResult? {
        while PQisBusy(handle) == 1 {
            try waitForAnswer()
            try receive()
        }
        return PQgetResult(handle).map { PostgresResult($0) }
    }

    func lost() -> ReplicationError {
        ReplicationError(.unreachable, "PostgreSQL: the connection was lost: \(message)")
    }
}

// Statements.
extension PostgresConnection {
    /// Runs statements in one transaction, all of which are sent before the first result is read.
    ///
    /// - Returns: the result of each.
    func run(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
        guard PQenterPipelineMode(handle) == 1 else { throw lost() }
        // A statement is prepared when it is used for the first time.
        var preparations: [String?] = []
        for statement in statements {
            if prepared[statement.sql] == nil {
                try prepare(statement)
                preparations.append(statement.sql)
            }
            try send(statement)
            preparations.append(nil)
        }
        guard PQpipelineSync(handle) == 1 else { throw lost() }
        try flush()
        let all = try preparations.map { _ in try onlyResult() }
        // The end of the pipeline.
        _ = try nextResult()
        guard PQexitPipelineMode(handle) == 1 else { throw lost() }
        // After the first error the rest is aborted.
        if let failure = all.lazy.compactMap(\.error).first {
            forget(zip(all, preparations).compactMap { $0.error == nil ? nil : $1 }, failure)
            throw failure
        }
        return zip(all, preparations).filter { $1 == nil }.map(\.0)
    }

    /// Forgets the statements that were not prepared. Others stay prepared when a transaction
    /// fails, unless the server no longer knows them, or their tables were altered.
    private func forget(_ statements: [String], _ failure: ReplicationError) {
        for sql in statements { prepared[sql] = nil }
        if ["0A000", "26000"].contains(failure.sqlState) { prepared = [:] }
    }

    /// Runs one statement.
    func run(_ sql: String, _ values: PostgresValue...) throws -> PostgresResult {
        try run([PostgresStatement(sql, values)])[0]
    }

    private func onlyResult() throws -> PostgresResult {
        guard let result = try nextResult() else { throw lost() }
        // The end of the statement.
        _ = try nextResult()
        return result
    }

    /// Sends one statement in the text protocol.
    func send(_ sql: String) throws {
        guard PQsendQuery(handle, sql) == 1 else { throw lost() }
        try flush()
    }

    func takeCopyData(_ message: inout UnsafeMutablePointer<CChar>?) -> Int32 {
        PQgetCopyData(handle, &message, 1)
    }

    private func prepare(_ statement: PostgresStatement) throws {
        preparedCount += 1
        let name = "store_\(preparedCount)"
        let types = statement.values.map(\.type)
        guard PQsendPrepare(handle, name, statement.sql, Int32(types.count), types) == 1 else {
            throw lost()
        }
        prepared[statement.sql] = name
    }

    private func send(_ statement: PostgresStatement) throws {
        let name = prepared[statement.sql] ?? ""
        let count = statement.values.count
        let formats = [Int32](repeating: 1, count: count)
        let lengths = statement.values.map { Int32($0.bytes?.count ?? 0) }
        let sent = statement.values.withPointers { pointers in
            PQsendQueryPrepared(handle, name, Int32(count), pointers, lengths, formats, 1)
        }
        guard sent == 1 else { throw lost() }
    }
}
