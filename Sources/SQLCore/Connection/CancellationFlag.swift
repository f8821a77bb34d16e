import Synchronization

/// Whether what a connection does is to end; set on another thread.
package final class CancellationFlag: Sendable {
    private let isRaised = Atomic<Bool>(false)

    /// One that is not set.
    package init() {}

    @inline(__always)
    var isSet: Bool { isRaised.load(ordering: .relaxed) }

    package func set(_ value: Bool) { isRaised.store(value, ordering: .relaxed) }

    /// Throws `.interrupted` if it is set.
    @inline(__always)
    func check() throws {
        if isSet { throw SQLError(code: .interrupted, message: "the call was cancelled") }
    }
}
