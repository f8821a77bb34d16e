/// What `DataFile.fix` has put right, and what it has not.
public struct VerificationRepair: Hashable, Sendable {
    /// What was done, a line for each thing.
    public internal(set) var done: [String] = []
    /// What was tried and is as it was, and why, a line for each thing.
    public internal(set) var failed: [String] = []
}
