/// How long a replicator waits before it tries again: a second at first, twice as long after each
/// failure, at most five minutes; each time between half of it and all of it, so that the clients
/// of a server that was down do not return at the same time.
struct RetryDelay: Sendable {
    static let first = 1.0
    static let longest = 300.0

    private var failures = 0

    /// The seconds to wait after a failure.
    mutating func next(_ random: (ClosedRange<Double>) -> Double = { .random(in: $0) }) -> Double {
        var seconds = Self.first
        for _ in 0..<failures where seconds < Self.longest { seconds *= 2 }
        failures += 1
        return min(seconds, Self.longest) * random(0.5...1)
    }

    /// Begins again after a success.
    mutating func reset() { failures = 0 }
}
