/// A reason why costs were not compared with thresholds.
public enum GateGap: Error, Sendable, Equatable, CustomStringConvertible {
    /// Valgrind is not installed.
    case noValgrind
    /// There is no file of thresholds for the compiler and the architecture, at this path.
    case noThresholds(path: String)
    /// The thresholds were measured with another SQLite: kernels that use it are not compared.
    case otherSQLite(expected: String, found: String)
    /// Kernels without thresholds in the file at this path.
    case newKernels([String], path: String)

    /// One line: what is not checked, why, and what to do.
    public var description: String {
        switch self {
        case .noValgrind:
            "NOTHING IS CHECKED: valgrind is not installed: install it"
        case .noThresholds(let path):
            "NOTHING IS CHECKED: \(path) does not exist; --update writes it"
        case .otherSQLite(let expected, let found):
            "kernels that use SQLite are NOT CHECKED: the thresholds are of \(expected), this is "
                + "\(found); use that version, or update all with --update"
        case .newKernels(let names, let path):
            "NOT CHECKED, not in \(path): \(names.joined(separator: ", ")); --update writes them"
        }
    }

    /// Whether a gap is a failure: in CI, warnings are not read.
    ///
    /// - Parameter environment: the variables of the process, of which `CI` decides.
    public static func isFailure(in environment: [String: String]) -> Bool {
        ["true", "1"].contains(environment["CI"]?.lowercased())
    }
}

extension Gate {
    /// The gaps that these verdicts have.
    ///
    /// - Parameter path: the path of the thresholds.
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
