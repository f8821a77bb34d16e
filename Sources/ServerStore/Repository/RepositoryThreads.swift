internal import Dispatch
internal import Synchronization

/// Threads that may wait for a disk, which those of Swift must not.
///
/// Each call that is under way has a queue of its own: Dispatch gives a serial queue a thread at
/// once, while the threads of a concurrent one are counted with those of Swift's tasks, which on
/// Linux would come to a stop for a second for each that waits.
final class RepositoryThreads: TaskExecutor {
    static let shared = RepositoryThreads()

    /// How many calls are under way at most; more stand in line.
    static let limit = 32

    private struct State {
        var idle: [DispatchQueue] = []
        var queueCount = 0
        var line: [UnownedJob] = []
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let queue = state.withLock { state -> DispatchQueue? in
            if let queue = state.idle.popLast() { return queue }
            guard state.queueCount < Self.limit else {
                state.line.append(job)
                return nil
            }
            state.queueCount += 1
            return DispatchQueue(label: "ServerStore.repository")
        }
        if let queue { run(job, on: queue) }
    }

    private func run(_ job: UnownedJob, on queue: DispatchQueue) {
        queue.async {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
            let next = self.state.withLock { state -> UnownedJob? in
                guard state.line.isEmpty else { return state.line.removeFirst() }
                state.idle.append(queue)
                return nil
            }
            if let next { self.run(next, on: queue) }
        }
    }
}
