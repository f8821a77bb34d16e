internal import Dispatch
internal import SQLCore
internal import StorePlatform

/// Looks every now and then whether others have committed, while somebody observes changes.
///
/// The number that tells, `PRAGMA data_version`, is read from memory that the processes share.
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

    /// Begins to look as soon as there is an observer.
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
            // Somebody may have come while this timer was still there.
            if file.state.changes.isObserved { begin(file) }
        }
        timer.schedule(
            deadline: .now(), repeating: .milliseconds(milliseconds),
            leeway: .milliseconds(milliseconds / 10))
        let isWanted = state.withLock { state -> Bool in
            guard !state.isStopped, state.timer == nil else { return false }
            state.timer = timer
            return true
        }
        timer.activate()
        if !isWanted { timer.cancel() }
    }

    private func look(_ file: SharedFile) {
        // On the writing connection, which its own commits do not concern, and between them.
        let line = file.writers ?? file.readers
        try? line.withPooledConnection { member in
            try member.perform { try file.lookForChanges(on: $0) }
        }
    }

    private func end() {
        state.withLock { state in
            state.timer?.cancel()
            state.timer = nil
        }
    }

    /// Ends it for good.
    func stop() {
        end()
        state.withLock { $0.isStopped = true }
    }

    /// Waits for what is under way.
    func wait() {
        queue.sync {}
    }
}
