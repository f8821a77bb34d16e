internal import Dispatch

/// A thread of its own for tasks: for a command, which blocks while a client is slow, and for the
/// server. The threads that tasks share may be two.
final class DedicatedThread: TaskExecutor {
    private let queue = DispatchQueue(label: "document-store.inspector")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
