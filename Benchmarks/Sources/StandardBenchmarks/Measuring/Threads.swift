import Foundation

/// Runs the same work on several threads at the same time.
enum Threads {
    /// Runs `work` with the numbers 0 to below `count`, each on a thread of its own, and returns
    /// when all are done. Throws the first error.
    static func run(_ count: Int, _ work: (Int) throws -> Void) throws {
        guard count > 1 else { return try work(0) }
        try withoutActuallyEscaping(work) { work in
            let shared = SharedWork(work, count: count)
            DispatchQueue.concurrentPerform(iterations: count) { shared.run($0) }
            try shared.throwFirstError()
        }
    }
}

private final class SharedWork: @unchecked Sendable {
    // Unchecked: the errors are protected by the lock, and `work` is safe to call from threads.

    private let work: (Int) throws -> Void
    private let lock = NSLock()
    private var errors: [(any Error)?]

    init(_ work: @escaping (Int) throws -> Void, count: Int) {
        self.work = work
        errors = Array(repeating: nil, count: count)
    }

    func run(_ index: Int) {
        do {
            try work(index)
        } catch {
            lock.withLock { errors[index] = error }
        }
    }

    func throwFirstError() throws {
        for case .some(let error) in errors { throw error }
    }
}

/// The monotonic clock.
enum MonotonicClock {
    /// Nanoseconds since an arbitrary time.
    static func nanoseconds() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
