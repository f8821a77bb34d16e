/// A figure that is to be reached: a row of the tables of targets, or a part of one.
public struct Target: Sendable, Equatable {
    /// The tables.
    public enum Table: String, Sendable, CaseIterable {
        /// Documents in a store; questions about them.
        case store = "The store"
        /// The format alone.
        case fleece = "Fleece"
        /// What is built on the store.
        case applications = "Stores for applications, and the SQL layer"
        /// Encrypted databases beside plain ones.
        case encryption = "Encryption"
    }

    /// What of a workload's time is looked at.
    public enum Quantity: Sendable, Equatable {
        /// The time of so many of its items.
        case items(Int)
        /// The time of a whole pass.
        case pass
    }

    /// Where the target stands.
    public var table: Table
    /// The row's words.
    public var row: String
    /// Which part of the row, if the row has several.
    public var part: String?
    /// The workloads whose times are added up; or the one figure.
    public var workloads: [String]
    /// What of their times is looked at.
    public var quantity: Quantity
    /// What must hold.
    public var rule: Rule
    /// Whether it is measured on the reference's file of 1,000 people, and on nothing else.
    public var needsReferenceFile = false

    /// A row, or a part of it.
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

    /// The row's words and the part's.
    public var title: String { part.map { "\(row): \($0)" } ?? row }
}

/// What must hold for a target to be met.
public enum Rule: Sendable, Equatable {
    /// The median of the rounds' ratios to the floor.
    case timesBaseline(Bound)
    /// How many times as fast as these other workloads together; the median of the rounds.
    case timesAsFast(as: [String], Bound)
    /// A share of so many seconds that another engine took, on the machine of the tables.
    case share(ofSeconds: Double, of: String, Bound)
    /// So many seconds on the machine of the tables.
    case seconds(Bound)
    /// So many bytes a second on the machine of the tables.
    case bytesPerSecond(Bound)
    /// So many seconds more than another workload, on the machine of the tables.
    case secondsMore(than: String, Bound)
    /// The median of a figure, as it is.
    case figure(Bound)
    /// No item of these kernels of kvgate allocates.
    case noAllocations(kernels: [String])
}

/// A limit, and a wish beyond it.
public struct Bound: Sendable, Equatable {
    /// What is required.
    public var limit: Double
    /// What would be better still.
    public var stretch: Double?
    /// Whether less is better.
    public var isUpper: Bool

    /// At most so much.
    public static func atMost(_ limit: Double, stretch: Double? = nil) -> Self {
        Self(limit: limit, stretch: stretch, isUpper: true)
    }

    /// At least so much.
    public static func atLeast(_ limit: Double, stretch: Double? = nil) -> Self {
        Self(limit: limit, stretch: stretch, isUpper: false)
    }

    /// Whether a figure is within the limit.
    public func allows(_ figure: Double) -> Bool { isUpper ? figure <= limit : figure >= limit }

    /// Whether a figure is within the wish, if there is one.
    public func reachesStretch(_ figure: Double) -> Bool? {
        stretch.map { isUpper ? figure <= $0 : figure >= $0 }
    }

    /// How much of the limit a figure leaves: 0.1 is a tenth; negative if it is beyond the limit.
    func margin(of figure: Double) -> Double {
        guard limit != 0 else { return allows(figure) ? 0 : -.infinity }
        let excess = (figure - limit) / limit
        return isUpper ? -excess : excess
    }

    /// The same for figures that are so many times as large.
    func scaled(by factor: Double) -> Self {
        Self(limit: limit * factor, stretch: stretch.map { $0 * factor }, isUpper: isUpper)
    }
}
