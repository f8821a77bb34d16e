internal import StorePlatform
internal import Synchronization

/// What happens at Ctrl-C: the task that runs is cancelled, so that it can end in order.
///
/// A handler may do almost nothing, so it writes a byte into a pipe, which a thread reads. To block
/// the signals and wait for them would not do: the main thread unblocks all where it waits for
/// tasks. A second Ctrl-C ends the program at once.
package enum Interruption {
    private struct State {
        var cancel: (@Sendable () -> Void)?
        /// Set where a task that waits could not end itself: it is called at once.
        var end: (@Sendable () -> Void)?
        var isRequested = false
        /// Whether a task is to come that a request would mean: a person has just asked for it.
        var isAwaited = false
        var isIgnored = false
        /// That of a program that is ended at once.
        var exitStatus: Int32 = 1
    }

    private static let state = Mutex(State())

    /// Begins to wait for the signals. To be called before there are other threads.
    ///
    /// - Parameter exitStatus: that of the program where it is ended at once.
    package static func install(exitStatus: Int32) {
        state.withLock { $0.exitStatus = exitStatus }
        // A closed pipe and a limit of size are errors of `write` instead.
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

    /// Those that ask a program to end.
    static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The ends of the pipe.
    fileprivate static let writing = Atomic<Int32>(-1)
    nonisolated(unsafe) private static var reading: Int32 = -1

    /// Runs `body`, which Ctrl-C cancels; inside another one, only the inner one. One that came
    /// before, since a person was waited for last, cancels it at once.
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

    /// Runs `body`, which waits for a person; the signals end the program at once, after `restore`.
    /// Afterwards they mean what is begun next.
    ///
    /// - Parameters:
    ///   - isNew: whether what comes of it has nothing to do with earlier requests, as what
    ///     somebody types has not.
    ///   - isInCommand: whether the command that runs goes on with it, so that the signals are that
    ///     one's again.
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

    /// Runs `body`, which waits for another program, whose signals they are.
    package static func ignoring<T>(_ body: () throws -> T) rethrows -> T {
        state.withLock { $0.isIgnored = true }
        defer { state.withLock { $0.isIgnored = false } }
        return try body()
    }

    /// Whether the one that runs was asked to end, also where a database runs it on a thread that
    /// knows nothing of its task.
    package static var isRequested: Bool { state.withLock(\.isRequested) }

    /// Throws `CancellationError` if the one that runs was asked to end.
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
