import Testing

@testable import Replication

@Suite("A signal of changes", .timeLimit(.minutes(10)))
struct ChangeSignalTests {
    private func startWaiting(for signal: ChangeSignal) async -> Task<Void, Never> {
        let task = Task { await signal.wait() }
        while !signal.isAwaited { await Task.yield() }
        return task
    }

    @Test("ends the wait of a task, or the next one")
    func wait() async {
        let signal = ChangeSignal()
        let task = await startWaiting(for: signal)
        signal.set()
        await task.value
        signal.set()
        await signal.wait()
        // It is reset, so that the next task waits again.
        let next = await startWaiting(for: signal)
        signal.set()
        await next.value
    }

    @Test("is waited for again after a cancelled wait")
    func cancellation() async {
        let signal = ChangeSignal()
        for _ in 0..<3 {
            let task = await startWaiting(for: signal)
            task.cancel()
            await task.value
        }
        let task = await startWaiting(for: signal)
        signal.set()
        await task.value
    }

    @Test("is not waited for by a task that is cancelled already")
    func cancelledBefore() async {
        let signal = ChangeSignal()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            await signal.wait()
        }
        task.cancel()
        await task.value
        #expect(!signal.isAwaited)
    }
}
