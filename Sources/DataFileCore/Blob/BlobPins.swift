internal import SQLCore
internal import StorePlatform

/// The blobs that this process has put a short while ago, by a clock that nobody sets.
///
/// Files have the time of the wall clock, which can jump: one that has just been put must not
/// look old.
final class BlobPins: Sendable {
    private struct State {
        var times: [BlobDigest: ContinuousClock.Instant] = [:]
        /// The count at which those that are over are looked for.
        var nextSweep = 1024
    }

    private let grace: Duration
    private let state = Locked(State())

    init(graceSeconds: Int) {
        grace = .seconds(graceSeconds)
    }

    func pin(_ digest: BlobDigest) {
        guard grace > .zero else { return }
        let now = ContinuousClock.now
        state.withLock { state in
            state.times[digest] = now
            guard state.times.count >= state.nextSweep else { return }
            state.times = state.times.filter { now - $0.value < grace }
            state.nextSweep = max(1024, 2 * state.times.count)
        }
    }

    func holds(_ digest: BlobDigest) -> Bool {
        guard let time = state.withLock({ $0.times[digest] }) else { return false }
        return ContinuousClock.now - time < grace
    }
}
