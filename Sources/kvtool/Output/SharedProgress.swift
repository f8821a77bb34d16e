internal import Synchronization

/// Progress that is told of from another thread than the command's own.
final class SharedProgress: Sendable {
    private let progress: Mutex<Progress>

    init(_ noun: String) { progress = Mutex(Progress(noun)) }

    /// Tells how much is done of how much, if it is time.
    func update(_ done: Int, of total: Int) {
        progress.withLock { progress in
            progress.total = total
            progress.update(done)
        }
    }

    /// Clears the line.
    func finish() { progress.withLock { $0.finish() } }
}
