/// A target figure: a row of the tables of targets, or a part of one.
public struct Target: Sendable, Equatable {
    /// The tables.
    public enum Table: String, Sendable, CaseIterable {
        /// Documents in a store, and queries for them.
        case store = "The store"
        /// The format alone.
        case fleece = "Fleece"
        /// Stores for applications, and the SQL layer.
        case applications = "Stores for applications, and the SQL layer"
        /// Encrypted databases beside plain ones.
        case encryption = "Encryption"
    }

    /// Which time of a workload is compared.
    public enum Quantity: Sendable, Equatable {
        /// The time of a number of its items.
        case items(Int)
        /// The time of a whole pass.
        case pass
    }

    /// The table of the target.
    public var table: Table
    /// The label of the row.
    public var row: String
    /// The label of the part, if the row has several.
    public var part: String?
    /// The workloads whose times are added; or the one figure.
    public var workloads: [String]
    /// Which of their times is compared.
    public var quantity: Quantity
    /// The condition.
    public var rule: Rule
    /// Whether it is measured with the reference file of 1,000 people only.
    public var needsReferenceFile = false

    /// Creates a row, or a part of it.
    public init(
        _ table: Table, _ row: String, part: String? = nil, workloads: [String],
        quantity: Quantity = .items(1), rule: Rule, needsReferenceFile: Bool = false
    ) {
        self.table = table
        self.row = row
        self.part = part
        self.workloads = workloads
        self.quantity = quantity
        self.rule = rule
        self.needsReferenceFile = needsReferenceFile
    }

    /// The labels of the row and the part.
    public var title: String { part.map { "\(row): \($0)" } ?? row }
}

/// The condition for meeting a target.
public enum Rule: Sendable, Equatable {
    /// The median of the rounds' ratios to the baseline.
    case timesBaseline(Bound)
    /// The speed relative to these other workloads together; the median of the rounds.
    case timesAsFast(as: [String], Bound)
    /// A fraction of the seconds of another engine, on the machine of the tables.
    case share(ofSeconds: Double, of: String, Bound)
    /// Seconds on the machine of the tables.
    case seconds(Bound)
    /// Bytes per second on the machine of the tables.
    case bytesPerSecond(Bound)
    /// The seconds in addition to another workload, on the machine of the tables.
    case secondsMore(than: String, Bound)
    /// The median of a figure, unscaled.
    case figure(Bound)
    /// These kernels of kvgate do not allocate.
    case noAllocations(kernels: [String])
}

/// A limit, and an optional stretch goal.
public struct Bound: Sendable, Equatable {
    /// The limit.
    public var limit: Double
    /// The stretch goal.
    public var stretch: Double?
    /// Whether less is better.
    public var isUpper: Bool

    /// An upper limit.
    public static func atMost(_ limit: Double, stretch: Double? = nil) -> Self {
        Self(limit: limit, stretch: stretch, isUpper: true)
    }

    /// A lower limit.
    public static func atLeast(_ limit: Double, stretch: Double? = nil) -> Self {
        Self(limit: limit, stretch: stretch, isUpper: false)
    }

    /// Whether a figure is within the limit.
    public func allows(_ figure: Double) -> Bool { isUpper ? figure <= limit : figure >= limit }

    /// Whether a figure reaches the stretch goal, if there is one.
    public func reachesStretch(_ figure: Double) -> Bool? {
        stretch.map { isUpper ? figure <= $0 : figure >= $0 }
    }

    /// The margin of a figure as a fraction of the limit: 0.1 is a tenth; negative if it is beyond
    /// the limit.
    func margin(of figure: Double) -> Double {
        guard limit != 0 else { return allows(figure) ? 0 : -.infinity }
        let excess = (figure - limit) / limit
        return isUpper ? -excess : excess
    }

    /// The bound for figures multiplied by a factor.
    func scaled(by factor: Double) -> Self {
        Self(limit: limit * factor, stretch: stretch.map { $0 * factor }, isUpper: isUpper)
    }
}
