internal import Dispatch
internal import SQLCore
internal import StorePlatform

/// Checks periodically whether other connections have committed, while there are observers.
///
/// It reads `PRAGMA data_version`, which comes from shared memory.
final class ExternalChangeWatcher: Sendable {
    private struct State {
        var timer: (any DispatchSourceTimer)?
        var isStopped = false
    }

    private let queue = DispatchQueue(label: "DataFileCore.changes", qos: .utility)
    private let state = Locked(State())
    private let milliseconds: Int

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    /// Starts the checks when there is an observer.
    func start(_ file: SharedFile) {
        file.state.changes.onFirstObserver { [weak self, weak file] in
            guard let self, let file else { return }
            begin(file)
        }
    }

    private func begin(_ file: SharedFile) {
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [weak self, weak file] in
            guard let self else { return }
            guard let file else { return end() }
            guard !file.state.changes.isObserved else { return look(file) }
            end()
            // A new observer may have subscribed while this timer still existed.
            if file.state.changes.isObserved { begin(file) }
        }
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(milliseconds),
            leeway: .milliseconds(milliseconds / 10))
        let isNew = state.withLock { state -> Bool in
            guard !state.isStopped, state.timer == nil else { return false }
            state.timer = timer
            return true
        }
        timer.activate()
        if !isNew { timer.cancel() }
    }

    private func look(_ file: SharedFile) {
        // On the writing connection, whose own commits do not change the number, between commits.
        let pool = file.writers ?? file.readers
        try? pool.withPooledConnection { try file.lookForChanges(on: $0) }
    }

    private func end() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Stops permanently.
    func stop() {
        end()
        state.withLock { $0.isStopped = true }
    }

    /// Waits for a check in progress.
    func wait() {
        queue.sync {}
    }
}
