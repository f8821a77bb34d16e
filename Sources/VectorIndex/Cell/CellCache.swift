internal import StorePlatform

/// The cells of indexes in memory, shared by all connections to a file.
package final class CellCache: Sendable {
    /// The latest states of each index, by its table: readers of an older snapshot need an older
    /// one.
    private let states = Locked<[String: [CellSet]]>([:])
    private static let statesPerIndex = 3

    package init() {}

    func cells(of table: String, generation: Int64) -> CellSet? {
        states.withLock { $0[table]?.first { $0.generation == generation } }
    }

    func keep(_ cells: CellSet, of table: String) {
        states.withLock {
            let others = ($0[table] ?? []).filter { $0.generation != cells.generation }
            $0[table] = [cells] + others.prefix(Self.statesPerIndex - 1)
        }
    }
}
