import SampleData

/// How operations choose records.
package enum RequestDistribution: String, Sendable {
    /// Popular records, scattered over all numbers.
    case scrambledZipfian = "zipfian"
    /// The most recently inserted records are the most popular.
    case latest
}

/// Chooses the numbers of records.
package struct RecordChooser: Sendable {
    /// The size of the space from which popular numbers are drawn before they are scattered: it is
    /// that of YCSB, independent of the number of records, so that growth does not change which
    /// records are popular.
    package static let scrambledSpace = 10_000_000_000

    private let distribution: RequestDistribution
    private let count: Int
    private let zipfian: ZipfianGenerator

    /// The generator of the scrambled space, whose setup takes a while.
    private static let scrambled = ZipfianGenerator(count: scrambledSpace)

    /// Chooses among the records 0 to below `count`.
    package init(_ distribution: RequestDistribution, count: Int) {
        self.distribution = distribution
        self.count = count
        zipfian =
            distribution == .latest
            ? ZipfianGenerator(count: max(count, 2)) : Self.scrambled
    }

    /// The number of a record.
    ///
    /// - Parameter inserted: the numbers of records inserted since, oldest first, which only
    ///   `.latest` chooses.
    package func next(_ random: inout SeededGenerator, inserted: [Int] = []) -> Int {
        let rank = zipfian.next(&random)
        switch distribution {
        case .scrambledZipfian: return Int(RecordKey.hash(UInt64(rank)) % UInt64(count))
        case .latest:
            if rank < inserted.count { return inserted[inserted.count - 1 - rank] }
            return max(count - 1 - (rank - inserted.count), 0)
        }
    }
}
