internal import StorePlatform

/// Ends a wait for the server when a task is cancelled.
final class Interruption: Sendable {
    private let isSet = Locked(false)
    private let pipe: WakePipe

    init(_ pipe: WakePipe) {
        self.pipe = pipe
    }

    var isRequested: Bool { isSet.withLock { $0 } }

    func request() {
        isSet.withLock { $0 = true }
        pipe.wake()
    }
}

/// A pipe whose end for reading is polled beside a socket.
final class WakePipe: Sendable {
    let reading: Int32
    private let writing: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, a wait ends at its timeout.
        if pipe(&ends) == 0 {
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        close(writing)
    }

    func wake() {
        var byte: UInt8 = 0
        _ = write(writing, &byte, 1)
    }

    /// Removes what was written.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 64)
        while read(reading, &buffer, buffer.count) > 0 {}
    }
}
