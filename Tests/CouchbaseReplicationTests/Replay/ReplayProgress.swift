/// What has arrived of what was recorded.
actor ReplayProgress {
    private var arrived: [ReplayKey: Int] = [:]
    private var expected: [ReplayKey: Int] = [:]
    private var isClosed = false
    private var waiters: [CheckedContinuation<Void, Never>] = []
    /// How long the other side may take; less after it was late.
    private var patience: Duration

    /// - Parameter reason: why something may be missing, so that a wait for it is useless; nil if
    ///   nothing may.
    init(missingIsKnown reason: String?) {
        patience = Self.patience(reason)
    }

    /// Hundreds of tests run at once.
    static func patience(_ reason: String?) -> Duration {
        reason == nil ? .seconds(300) : .seconds(8)
    }

    func expect(_ keys: [ReplayKey]) {
        for key in keys { expected[key] = key.isOnce ? 1 : expected[key, default: 0] + 1 }
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

    private func missing(of expected: [ReplayKey: Int]) -> [String] {
        expected.filter { arrived[$0.key, default: 0] < $0.value }.map { "\($0.key)" }.sorted()
    }

    private func signal() {
        let all = waiters
        waiters = []
        for waiter in all { waiter.resume() }
    }

    /// Waits until all that is expected has arrived; returns what has not.
    func wait() async -> String? {
        guard let missing = await wait(for: expected) else { return nil }
        expected = [:]
        arrived = [:]
        return missing
    }

    /// Waits until at least one of each has arrived; returns what has not.
    func wait(forEach keys: Set<ReplayKey>) async -> String? {
        await wait(for: Dictionary(uniqueKeysWithValues: keys.map { ($0, 1) }))
    }

    private func wait(for expected: [ReplayKey: Int]) async -> String? {
        guard !missing(of: expected).isEmpty, !isClosed else { return nil }
        let limit = ContinuousClock.now + patience
        let alarm = Task {
            try await Task.sleep(until: limit)
            signal()
        }
        while !missing(of: expected).isEmpty, !isClosed, ContinuousClock.now < limit {
            await withCheckedContinuation { waiters.append($0) }
        }
        alarm.cancel()
        let missing = missing(of: expected)
        guard !missing.isEmpty else { return nil }
        let list = missing.prefix(8).joined(separator: "; ")
        patience = .milliseconds(500)
        return "missing\(isClosed ? " when closed" : ""): \(list)"
    }
}
