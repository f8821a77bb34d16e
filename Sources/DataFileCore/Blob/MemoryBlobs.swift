internal import SQLCore
internal import StorePlatform

/// The blobs of an in-memory database.
final class MemoryBlobs: BlobStorage {
    private let blobs = Locked<[BlobDigest: [UInt8]]>([:])
    private let pins: BlobPins

    init(graceSeconds: Int) {
        pins = BlobPins(graceSeconds: graceSeconds)
    }

    func shown(_ digest: BlobDigest) -> String { "the blob \(digest) of the in-memory database" }

    func draft() -> any BlobDraft { MemoryDraft(self) }

    func reuse(_ digest: BlobDigest, length: Int) -> Bool {
        pins.pin(digest)
        return blobs.withLock { $0[digest] != nil }
    }

    func source(_ digest: BlobDigest) -> (any BlobSource)? {
        blobs.withLock { $0[digest] }.map { MemorySource($0) }
    }

    func size(_ digest: BlobDigest) -> Int? { blobs.withLock { $0[digest]?.count } }

    func digests() -> [BlobDigest] { blobs.withLock { Array($0.keys) } }

    func candidates() -> BlobCandidates {
        BlobCandidates(digests: Set(digests().filter { !pins.holds($0) }))
    }

    func remove(_ unused: Set<BlobDigest>, keepsEncrypted: Bool) -> BlobRemoval {
        var removal = BlobRemoval()
        blobs.withLock { blobs in
            for digest in unused where !pins.holds(digest) {
                guard let bytes = blobs.removeValue(forKey: digest) else { continue }
                removal.blobs += 1
                removal.bytes += bytes.count
            }
        }
        return removal
    }

    func misnamedFiles() -> MisnamedBlobFiles { MisnamedBlobFiles() }

    func damaged() -> ((BlobDigest) -> Bool)? { nil }

    // A garbage collection needs the only connection, which a running copy uses.
    func preventRemoval() -> (any Sendable)? { nil }

    fileprivate func add(_ bytes: [UInt8], _ digest: BlobDigest) {
        pins.pin(digest)
        blobs.withLock { $0[digest] = bytes }
    }
}

private final class MemoryDraft: BlobDraft {
    private let blobs: MemoryBlobs
    private var bytes: [UInt8] = []

    init(_ blobs: MemoryBlobs) {
        self.blobs = blobs
    }

    func write(_ bytes: UnsafeRawBufferPointer) { self.bytes += bytes }

    func install(_ digest: BlobDigest, length: Int) {
        blobs.add(bytes, digest)
        discard()
    }

    func discard() { bytes = [] }
}

private final class MemorySource: BlobSource {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var length: Int { bytes.count }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let part = bytes.dropFirst(offset).prefix(buffer.count)
        buffer.copyBytes(from: part)
        return part.count
    }
}

/// The blobs that this process has put recently, measured by a monotonic clock.
///
/// File times are those of the wall clock, which can be set: a blob that was just put must not
/// appear old.
final class BlobPins: Sendable {
    private struct State {
        var times: [BlobDigest: ContinuousClock.Instant] = [:]
        /// The number of pins at which expired ones are removed.
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
