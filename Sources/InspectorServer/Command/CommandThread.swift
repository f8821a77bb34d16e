internal import Dispatch

/// A thread for a command, which blocks while a client is slow: the threads that tasks share may be
/// two.
final class CommandThread: TaskExecutor {
    private let queue = DispatchQueue(label: "document-store.inspector")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
