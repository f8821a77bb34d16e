/// What lets costs pass that nothing was compared with.
public enum GateGap: Error, Sendable, Equatable, CustomStringConvertible {
    /// There is no valgrind.
    case noValgrind
    /// There is no file of thresholds for the compiler and the architecture, at this path.
    case noThresholds(path: String)
    /// The thresholds are of another SQLite: kernels that use it are not compared.
    case otherSQLite(expected: String, found: String)
    /// Kernels that have no thresholds in the file of this path.
    case newKernels([String], path: String)

    /// One line: what is not checked, why, and what to do.
    public var description: String {
        switch self {
        case .noValgrind:
            "NOTHING IS CHECKED: there is no valgrind on this machine: install it"
        case .noThresholds(let path):
            "NOTHING IS CHECKED: there is no \(path); --update writes it"
        case .otherSQLite(let expected, let found):
            "kernels that use SQLite are NOT CHECKED: the thresholds are of \(expected), this is "
                + "\(found); use that one, or write all again with --update"
        case .newKernels(let names, let path):
            "NOT CHECKED, not in \(path): \(names.joined(separator: ", ")); --update writes them"
        }
    }

    /// Whether a gap is to be a failure: in CI nobody reads warnings.
    ///
    /// - Parameter environment: the variables of the process; `CI` tells.
    public static func isFailure(in environment: [String: String]) -> Bool {
        ["true", "1"].contains(environment["CI"]?.lowercased())
    }
}

extension Gate {
    /// What these verdicts leave unchecked.
    ///
    /// - Parameter path: where the thresholds are from.
    public func gaps(in verdicts: [KernelVerdict], path: String) -> [GateGap] {
        var gaps: [GateGap] = []
        if hasOtherSQLite, verdicts.contains(where: \.kernel.usesSQLite) {
            gaps.append(.otherSQLite(expected: thresholds.sqlite, found: sqlite))
        }
        let new = verdicts.filter { $0.outcome == .new }.map(\.kernel.name)
        if !new.isEmpty { gaps.append(.newKernels(new, path: path)) }
        return gaps
    }
}
