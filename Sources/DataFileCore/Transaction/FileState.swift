internal import SQLCore
package import StoreFormat
internal import StorePlatform

/// What all connections of this process to one file share: its clock, what was found out about it,
/// who wants to hear of its changes.
package final class FileState: Sendable {
    /// The logical clock of the file.
    package let clock: HybridClock
    /// The sequences that the rows really have.
    package let recovered = RecoveredSequences()
    /// Who is told of changes.
    package let changes = ChangeHub()
    /// Milliseconds since 1970.
    package let now: @Sendable () -> Int64
    /// Indexes that a reader would have liked to have.
    private let wanted = Locked<Set<WantedIndex>>([])
    /// Indexes that cannot be made: they are not tried again while the file is open.
    private let impossible = Locked<Set<WantedIndex>>([])

    init(
        now: @escaping @Sendable () -> Int64, wallClock: @escaping @Sendable () -> UInt64
    ) {
        self.now = now
        clock = HybridClock(wallClock: wallClock)
    }

    /// Notes that an index was missed.
    func want(_ kind: LazyIndex, of store: KeyStoreName) {
        let index = WantedIndex(kind: kind, store: store)
        guard !impossible.withLock({ $0.contains(index) }) else { return }
        wanted.withLock { _ = $0.insert(index) }
    }

    /// Notes that an index cannot be made.
    func giveUp(_ index: WantedIndex) {
        impossible.withLock { _ = $0.insert(index) }
    }

    /// The indexes that were missed, which the caller makes.
    func takeWanted() -> Set<WantedIndex> {
        wanted.withLock { wanted in
            defer { wanted = [] }
            return wanted
        }
    }

    /// Whether there is something that `takeWanted` would return.
    var wantsIndexes: Bool { wanted.withLock { !$0.isEmpty } }
}

/// An index that would have made a read faster.
struct WantedIndex: Hashable, Sendable {
    let kind: LazyIndex
    let store: KeyStoreName
}
