import ArgumentParser
import BenchmarkGate
import Foundation
import SQLCore

/// Counts all kernels and compares them with the thresholds.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Counts all kernels under callgrind, and compares them with the thresholds.",
        discussion: """
            The exit status is 1 if a kernel needs more instructions than the margin allows, or \
            another allocation. Without valgrind, without thresholds for this compiler, or with \
            another SQLite, some or all kernels are not compared; a warning says so, and the exit \
            status is 0, or 1 if the variable CI is true.
            """)

    @Flag(help: "Write the counts as the new thresholds.")
    var update = false

    @Option(help: "The percentage by which instructions may differ.")
    var margin = 5.0

    @Option(help: ArgumentHelp("Only this kernel.", valueName: "name"))
    var only: String?

    @Option(help: ArgumentHelp("The directory of the thresholds.", valueName: "directory"))
    var thresholds = "Benchmarks/thresholds"

    func validate() throws {
        guard (0...100).contains(margin) else {
            throw ValidationError("--margin must be between 0 and 100")
        }
    }

    func run() throws {
        try Release.require()
        let path = try thresholdsPath()
        let old = try knownThresholds(path)
        let kernels = try only.map { [try Kernel.named($0)] } ?? Kernel.all
        guard let measured = try count(kernels) else { return }
        let (passed, gaps) = try report(measured, old, path)
        if update { return try write(measured, old, to: path) }
        for gap in gaps { Notice.warn("\(gap)") }
        if !passed { throw ExitCode.failure }
        if !gaps.isEmpty { try failInCI() }
    }

    /// Where warnings are not read, an incomplete check must not look like a passed one.
    private func failInCI() throws {
        guard GateGap.isFailure(in: ProcessInfo.processInfo.environment) else { return }
        throw GateError("not everything was checked, see above; with CI=true that is a failure")
    }

    private func thresholdsPath() throws -> String {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: thresholds, isDirectory: &isDirectory),
            isDirectory.boolValue
        else {
            throw GateError(
                "there is no directory \(thresholds): run this in the root of the repository, or "
                    + "specify the directory with --thresholds")
        }
        let name = Thresholds.fileName(
            compiler: Compiler.name, architecture: Compiler.architecture)
        return "\(thresholds)/\(name)"
    }

    /// An unreadable file prevents a check, but not an update of all kernels.
    private func knownThresholds(_ path: String) throws -> Thresholds? {
        do {
            return try Thresholds(contentsOf: path)
        } catch  where update && only == nil {
            return nil
        }
    }

    /// Nil without valgrind.
    private func count(_ kernels: [Kernel]) throws -> [MeasuredKernel]? {
        guard let counter = try KernelCounter() else {
            guard !update else { throw GateError("valgrind is not installed: install it") }
            Notice.warn("\(GateGap.noValgrind)")
            try failInCI()
            return nil
        }
        defer { counter.close() }
        return try kernels.map { kernel in
            Notice.progress(kernel.name)
            return try counter.measure(kernel)
        }
    }

    /// Prints the figures; returns whether none is worse, and what was not compared.
    private func report(
        _ measured: [MeasuredKernel], _ old: Thresholds?, _ path: String
    ) throws -> (passed: Bool, gaps: [GateGap]) {
        print(
            "\(Compiler.name), \(Compiler.architecture), SQLite \(SQLContext.version); for an item:"
        )
        guard let old else {
            print(GateReport(measured: measured).table)
            return (true, [.noThresholds(path: path)])
        }
        let gate = try Gate(thresholds: old, marginPercent: margin, sqlite: SQLContext.version)
        let verdicts = gate.verdicts(on: measured)
        let report = GateReport(verdicts)
        print(report.table)
        print("\(report.summary); margin \(margin) %")
        warn(gate, path)
        return (!verdicts.contains { $0.outcome == .worse }, gate.gaps(in: verdicts, path: path))
    }

    private func warn(_ gate: Gate, _ path: String) {
        guard !update, only == nil else { return }
        let gone = gate.leftOver(besides: Kernel.all.map(\.name))
        if !gone.isEmpty {
            Notice.warn("in \(path), but not kernels: \(gone.joined(separator: ", "))")
        }
    }

    private func write(
        _ measured: [MeasuredKernel], _ old: Thresholds?, to path: String
    ) throws {
        let new = try Thresholds.updated(
            old, with: measured, isAll: only == nil, sqlite: SQLContext.version)
        do {
            try new.json().write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw GateError("\(path) cannot be written: \(error.localizedDescription)")
        }
        print("written: \(path)")
    }
}
