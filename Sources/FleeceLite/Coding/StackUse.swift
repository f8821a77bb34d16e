internal import StorePlatform

/// How much of the thread's stack has been used since a value's coding began.
///
/// Types that contain themselves are coded by calls inside calls, and how much stack their own
/// code takes is not known beforehand.
struct StackUse {
    /// Values inside values, also those that stand for one another: an array of optional values has
    /// two on each of its levels.
    static let calls = 4 * FleeceLimits.walkDepth
    /// Bytes: what threads have, less what their own code takes; in debug builds a level may take
    /// more than 4 KiB.
    static let limit = ThreadStack.usableBytes

    private let start: UInt

    init() {
        start = Self.address()
    }

    @inline(never)
    private static func address() -> UInt {
        var local: UInt8 = 0
        return withUnsafeMutablePointer(to: &local) { UInt(bitPattern: $0) }
    }

    /// Whether there is stack left to go on.
    @inline(__always)
    var isBearable: Bool {
        let now = Self.address()
        return (now > start ? now &- start : start &- now) < Self.limit
    }
}
