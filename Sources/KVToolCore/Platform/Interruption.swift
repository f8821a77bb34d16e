internal import StorePlatform
internal import Synchronization

/// Handles Ctrl-C: cancels the running task, so that it can end in an orderly way.
///
/// A signal handler may do almost nothing, so it writes a byte into a pipe, which a thread reads.
/// Blocking the signals and waiting for them would not work, because the main thread unblocks all
/// signals while it waits for tasks. A second Ctrl-C ends the program immediately.
package enum Interruption {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        /// Set while a waiting task cannot end itself; called immediately.
        var end: (@Sendable () -> Void)?
        var isRequested = false
        /// Whether the next task has been entered but not started, so that a request applies to it.
        var isAwaited = false
        var isIgnored = false
        /// The exit status if the program is ended immediately.
        var exitStatus: Int32 = 1
    }

    private static let state = Mutex(State())

    /// Starts handling the signals. Must be called before there are other threads.
    ///
    /// - Parameter exitStatus: the exit status if the program is ended immediately.
    package static func install(exitStatus: Int32) {
        state.withLock { $0.exitStatus = exitStatus }
        // A closed pipe and an exceeded file size limit are errors of `write` instead.
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        guard let pipe = try? ProgramPipe() else { return }
        reading = pipe.reading
        writing.store(pipe.writing, ordering: .relaxed)
        for number in signals {
            signal(number) { _ in
                let before = errno
                var byte: UInt8 = 0
                _ = write(Interruption.writing.load(ordering: .relaxed), &byte, 1)
                errno = before
            }
        }
        startThread()
    }

    /// The signals that request the program to end.
    static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The ends of the pipe.
    fileprivate static let writing = Atomic<Int32>(-1)
    nonisolated(unsafe) private static var reading: Int32 = -1

    /// Runs `body` and cancels it on Ctrl-C; if calls are nested, only the innermost. A request
    /// since the last wait for user input cancels it immediately.
    package static func cancelling<T: Sendable>(
        _ body: @escaping @Sendable () async -> T
    ) async -> T {
        let task = Task { await body() }
        let outer = state.withLock { state in
            defer {
                state.cancel = { task.cancel() }
                state.isAwaited = false
            }
            if state.isRequested { task.cancel() }
            return (cancel: state.cancel, isAwaited: state.isAwaited)
        }
        defer {
            state.withLock { state in
                (state.cancel, state.isAwaited) = outer
            }
        }
        return await task.value
    }

    /// Runs `body`, which waits for user input. Signals end the program immediately, after
    /// `restore`. Afterwards they apply to the next task.
    ///
    /// - Parameters:
    ///   - isNew: whether the input starts something new, so that earlier requests do not apply to
    /// it.
    ///   - isInCommand: whether the input belongs to the running command, so that later signals
    /// apply to that command again.
    package static func ending<T>(
        after restore: @escaping @Sendable () -> Void, isNew: Bool, isInCommand: Bool = false,
        _ body: () throws -> T
    ) rethrows -> T {
        state.withLock { state in
            state.end = restore
            if isNew { state.isRequested = false }
        }
        defer {
            state.withLock { state in
                state.end = nil
                if !isInCommand { state.isAwaited = true }
            }
        }
        return try body()
    }

    /// Runs `body`, which waits for another program that handles the signals.
    package static func ignoring<T>(_ body: () throws -> T) rethrows -> T {
        state.withLock { $0.isIgnored = true }
        defer { state.withLock { $0.isIgnored = false } }
        return try body()
    }

    /// Whether the running task was requested to end. This also works on threads of the engine,
    /// which have no task context.
    package static var isRequested: Bool { state.withLock(\.isRequested) }

    /// Throws `CancellationError` if the running task was requested to end.
    package static func check() throws {
        if isRequested { throw CancellationError() }
    }

    private static func request() {
        let (state, isFirst) = state.withLock { state in
            guard !state.isIgnored else { return (State(), true) }
            defer { state.isRequested = true }
            return (state, !state.isRequested)
        }
        state.end?()
        guard isFirst, state.end == nil else {
            System.exitAtOnce(state.exitStatus)
        }
        if !state.isAwaited { state.cancel?() }
    }

    private static func startThread() {
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        pthread_create(
            &thread, nil,
            { _ in
                Interruption.waitForSignals()
                return nil
            }, nil)
    }

    private static func waitForSignals() {
        var byte: UInt8 = 0
        while true {
            let count = read(reading, &byte, 1)
            if count == 1 { request() }
            guard count == 1 || errno == EINTR else { return }
        }
    }
}
