import Synchronization

/// Whether what a connection does is to end; set on another thread.
final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    @inline(__always)
    var isSet: Bool { isRaised.load(ordering: .relaxed) }

    func set(_ value: Bool) { isRaised.store(value, ordering: .relaxed) }

    /// Throws `.interrupted` if it is set.
    @inline(__always)
    func check() throws {
        if isSet { throw SQLError(code: .interrupted, message: "the call was cancelled") }
    }
}
