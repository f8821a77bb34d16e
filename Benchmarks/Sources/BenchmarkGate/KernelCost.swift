/// What one item of a kernel's work costs.
public struct KernelCost: Codable, Sendable, Equatable {
    /// Instructions, to a tenth.
    public var instructions: Double
    /// Allocations, to a thousandth.
    public var allocations: Double

    /// By how much allocations may differ without there being another one: some tables grow once in
    /// a long while.
    public static let allocationTolerance = 0.01

    /// A cost of these figures.
    public init(instructions: Double, allocations: Double) {
        self.instructions = instructions
        self.allocations = allocations
    }

    /// The cost of an item, from a run of so many passes and one of twice as many: what both do
    /// once, as starting and preparing the data, goes out of the difference.
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

    /// Whether the figures can be ones of a kernel.
    var isSound: Bool {
        instructions > 0 && allocations >= 0 && instructions.isFinite && allocations.isFinite
    }
}

/// A kernel as it was measured.
public struct MeasuredKernel: Sendable, Equatable {
    /// The kernel's name.
    public var name: String
    /// What an item costs.
    public var cost: KernelCost
    /// Whether part of the cost is of the SQLite library.
    public var usesSQLite: Bool

    /// A kernel with its cost.
    public init(name: String, cost: KernelCost, usesSQLite: Bool) {
        self.name = name
        self.cost = cost
        self.usesSQLite = usesSQLite
    }
}
