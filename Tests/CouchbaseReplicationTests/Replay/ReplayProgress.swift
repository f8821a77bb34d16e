/// What has arrived of what was recorded.
actor ReplayProgress {
    private var arrived: [ReplayKey: Int] = [:]
    private var expected: [ReplayKey: Int] = [:]
    private var isClosed = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// How long the other side may take; less after it was late.
    private var patience = Duration.seconds(8)

    func expect(_ keys: [ReplayKey]) {
        for key in keys { expected[key] = key.isOnce ? 1 : expected[key, default: 0] + 1 }
    }

    /// Expects at least one of each.
    func require(_ keys: [ReplayKey]) {
        for key in keys { expected[key] = max(expected[key] ?? 0, 1) }
    }

    func arrive(_ keys: [ReplayKey]) {
        for key in keys { arrived[key, default: 0] += 1 }
        signal()
    }

    /// Nothing more comes.
    func close() {
        isClosed = true
        signal()
    }

    private var missing: [String] {
        expected.filter { arrived[$0.key, default: 0] < $0.value }.map { "\($0.key)" }.sorted()
    }

    private func signal() {
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume() }
    }

    /// Waits until all that is expected has arrived; returns what has not.
    func wait() async -> String? {
        guard !missing.isEmpty, !isClosed else { return nil }
        let limit = ContinuousClock.now + patience
        let alarm = Task {
            try await Task.sleep(until: limit)
            signal()
        }
        while !missing.isEmpty, !isClosed, ContinuousClock.now < limit {
            await withCheckedContinuation { waiters.append($0) }
        }
        alarm.cancel()
        guard !missing.isEmpty else { return nil }
        let list = missing.prefix(8).joined(separator: "; ")
        expected = [:]
        arrived = [:]
        patience = .milliseconds(500)
        return "missing\(isClosed ? " when closed" : ""): \(list)"
    }
}
