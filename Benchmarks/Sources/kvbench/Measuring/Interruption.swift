import Foundation
import Synchronization

/// Handles signals that end the program: its files are removed first, and its child is killed.
enum Interruption {
    private struct State {
        var directories: [String] = []
        var child: pid_t?
        var isWatched = false
    }

    private static let state = Mutex(State())
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Removes directories when a signal ends the program. Must be called before any thread is
    /// created, since threads inherit the signal mask.
    static func remove(_ directories: [String]) {
        let isFirst = state.withLock { state in
            state.directories += directories
            defer { state.isWatched = true }
            return !state.isWatched
        }
        guard isFirst else { return }
        var set = signalSet
        pthread_sigmask(SIG_BLOCK, &set, nil)
        Thread.detachNewThread { wait() }
    }

    /// Sets the child process to end along with this one.
    static func setChild(_ child: pid_t?) { state.withLock { $0.child = child } }

    private static var signalSet: sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }

    private static func wait() {
        var set = signalSet
        var number: Int32 = 0
        guard sigwait(&set, &number) == 0 else { return }
        let (directories, child) = state.withLock { ($0.directories, $0.child) }
        if let child { kill(child, SIGTERM) }
        // The other threads are still running, and may just be creating a file.
        for directory in directories {
            for _ in 0..<5 where FileManager.default.fileExists(atPath: directory) {
                try? FileManager.default.removeItem(atPath: directory)
            }
        }
        // The signal ends the process, as its sender expects.
        signal(number, SIG_DFL)
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
        raise(number)
        _exit(128 + number)
    }
}
