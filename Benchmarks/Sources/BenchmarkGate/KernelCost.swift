/// The cost of one item of a kernel's work.
public struct KernelCost: Codable, Sendable, Equatable {
    /// Instructions, rounded to a tenth.
    public var instructions: Double
    /// Allocations, rounded to a thousandth.
    public var allocations: Double

    /// The difference below which allocations count as equal: some tables grow once in a long
    /// while.
    public static let allocationTolerance = 0.01

    /// Creates a cost from figures.
    public init(instructions: Double, allocations: Double) {
        self.instructions = instructions
        self.allocations = allocations
    }

    /// Computes the cost of an item from a run of a number of passes and one of twice as many: work
    /// that both do once, such as starting and preparing the data, cancels out.
    ///
    /// Throws `GateError` if the longer run did not cost more.
    public init(
        of once: CallgrindProfile, and twice: CallgrindProfile, passes: Int, items: Int
    ) throws {
        guard passes > 0, items > 0 else { throw GateError("no passes, or no items in them") }
        let count = Double(passes) * Double(items)
        let instructions = Double(twice.instructions) - Double(once.instructions)
        let allocations = (Double(twice.allocations) - Double(once.allocations)) / count
        guard instructions > 0, allocations > -Self.allocationTolerance else {
            throw GateError(
                "twice the passes cost \(twice.instructions) instructions and \(twice.allocations) "
                    + "allocations, after \(once.instructions) and \(once.allocations)")
        }
        self.instructions = Self.rounded(instructions / count, to: 10)
        self.allocations = Self.rounded(max(allocations, 0), to: 1000)
    }

    private static func rounded(_ number: Double, to parts: Double) -> Double {
        (number * parts).rounded() / parts
    }

    /// Whether the figures are possible ones.
    var isSound: Bool {
        instructions > 0 && allocations >= 0 && instructions.isFinite && allocations.isFinite
    }
}

/// A measured kernel.
public struct MeasuredKernel: Sendable, Equatable {
    /// The kernel's name.
    public var name: String
    /// The cost of an item.
    public var cost: KernelCost
    /// Whether part of the cost is in the SQLite library.
    public var usesSQLite: Bool

    /// Creates a measured kernel.
    public init(name: String, cost: KernelCost, usesSQLite: Bool) {
        self.name = name
        self.cost = cost
        self.usesSQLite = usesSQLite
    }
}
