internal import CVector

/// Decides how many cells a query searches, the nearest first.
///
/// A given number of probes counts cells all of whose vectors may be in the result; of others, the
/// part that may be. By default it is 8, and more while the next cell may well have a vector that
/// is nearer than the farthest of the result: the distances of the vectors from those of their
/// cells, in the cells that were searched, tell how near it may have one. This depends on the data,
/// on how many vectors are wanted, on conditions, and on vectors that were deleted. Never are fewer
/// found than there are.
struct ProbeLimit {
    private let least: Double
    private let isAdaptive: Bool
    /// The nearest vectors so far, by their estimates. Most vectors have entries in two cells.
    private var nearest: NearestHeap
    private var docids: Set<Int64> = []
    private var probes = 0.0
    /// What the distance of a vector exceeds that of its cell by.
    private var excess = Distribution()

    /// How many standard deviations below the mean a vector is expected: few are below, but a cell
    /// has tens of vectors.
    private static let deviations = 4.0
    private static let usual = 8.0

    /// - Parameter probes: nil for the default.
    init(_ probes: Int?, limit: Int) {
        nearest = NearestHeap(limit: limit)
        least = probes.map { Double($0) } ?? Self.usual
        isAdaptive = probes == nil
    }

    /// Whether a cell at this distance, and those behind it, are not searched.
    func isReached(before distance: Float) -> Bool {
        guard nearest.bound < .infinity, probes >= least else { return false }
        let best = Double(distance) + excess.mean - Self.deviations * excess.deviation
        return !isAdaptive || best > Double(nearest.bound)
    }

    /// Notes the entries of a cell.
    ///
    /// - Parameter accepts: whether a document may be in the result; nil if all may.
    mutating func note(
        _ entries: ArraySlice<cvector_candidate>, at distance: Float, _ accepts: ((Int64) -> Bool)?
    ) {
        var accepted = 0
        for entry in entries where accepts?(entry.docid) ?? true {
            accepted += 1
            excess.add(Double(entry.distance - distance))
            guard entry.distance < nearest.bound, docids.insert(entry.docid).inserted else {
                continue
            }
            nearest.add(entry.docid, entry.distance)
        }
        if !entries.isEmpty { probes += Double(accepted) / Double(entries.count) }
    }
}

/// The mean and the standard deviation of numbers.
private struct Distribution {
    private var count = 0.0
    private var sum = 0.0
    private var squares = 0.0

    var mean: Double { count > 0 ? sum / count : 0 }
    var deviation: Double {
        count > 0 ? max(0, squares / count - mean * mean).squareRoot() : 0
    }

    mutating func add(_ number: Double) {
        count += 1
        sum += number
        squares += number * number
    }
}
