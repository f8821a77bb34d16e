internal import Dispatch
internal import KVToolCore
internal import Synchronization

/// The output of a command on its way to a client: the command waits while the client is slow.
final class CommandOutput: OutputSink, Sendable {
    private struct State {
        var parts: [[UInt8]] = []
        var bytes = 0
        /// Whether it is all that there is to say; nil until the end.
        var isComplete: Bool?
        var isClosed = false
        var reader: CheckedContinuation<[UInt8]?, Never>?
    }

    private static let maximumBytes = 1 << 18
    private static let partBytes = 1 << 16
    private let state = Mutex(State())
    private let hasSpace = DispatchSemaphore(value: 0)
    private let stallSeconds: Int

    /// - Parameter stallSeconds: how long the command waits for a client that takes nothing.
    init(stallSeconds: Int) { self.stallSeconds = stallSeconds }

    /// Called on the thread of the command.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = [UInt8](rest.prefix(Self.partBytes))
            try write(part)
            rest = rest.dropFirst(part.count)
        }
    }

    private func write(_ part: [UInt8]) throws {
        while state.withLock({ $0.bytes >= Self.maximumBytes && !$0.isClosed }) {
            let deadline = DispatchTime.now() + .seconds(stallSeconds)
            guard hasSpace.wait(timeout: deadline) == .success else { throw ClosedPipe() }
        }
        let (reader, isClosed) = state.withLock { state in
            guard !state.isClosed, state.reader == nil else {
                return (state.reader.take(), state.isClosed)
            }
            state.parts.append(part)
            state.bytes += part.count
            return (nil, false)
        }
        guard !isClosed else { throw ClosedPipe() }
        reader?.resume(returning: part)
    }

    /// There is no more output.
    ///
    /// - Parameter isComplete: whether it is all that there is to say.
    func end(isComplete: Bool) {
        state.withLock { state in
            state.isComplete = isComplete
            return state.reader.take()
        }?.resume(returning: nil)
    }

    /// Whether it has ended, and is all that there is to say.
    var isComplete: Bool { state.withLock { $0.isComplete == true } }

    /// Nothing reads it any more: the next write fails.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.parts = []
        }
        hasSpace.signal()
    }

    /// The next part; nil at the end, and if the task is cancelled.
    func next() async -> [UInt8]? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (part, mustWait) = take(continuation)
                if !mustWait { continuation.resume(returning: part) }
                if part != nil { hasSpace.signal() }
            }
        } onCancel: {
            state.withLock { $0.reader.take() }?.resume(returning: nil)
        }
    }

    private func take(
        _ continuation: CheckedContinuation<[UInt8]?, Never>
    ) -> (part: [UInt8]?, mustWait: Bool) {
        state.withLock { state in
            guard state.parts.isEmpty else {
                let part = state.parts.removeFirst()
                state.bytes -= part.count
                return (part, false)
            }
            guard state.isComplete == nil, !Task.isCancelled else { return (nil, false) }
            state.reader = continuation
            return (nil, true)
        }
    }

    /// Has a part read again.
    func putBack(_ part: [UInt8]) {
        state.withLock { state in
            state.parts.insert(part, at: 0)
            state.bytes += part.count
        }
    }
}
