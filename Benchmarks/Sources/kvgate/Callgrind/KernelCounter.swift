import BenchmarkGate
import Foundation

/// Counts the instructions of kernels: this program runs each in a process of its own under
/// valgrind.
struct KernelCounter {
    private let valgrind: String
    /// A copy of this program.
    private let program: String
    /// The directory of the copy and the counts.
    private let directory: TemporaryDirectory

    /// Nil if valgrind is not installed.
    init?() throws {
        guard let valgrind = Program.path(of: "valgrind") else { return nil }
        self.valgrind = valgrind
        directory = try TemporaryDirectory(inMemory: false)
        program = directory.path + "/kvgate"
        do {
            try Self.copyProgram(to: program, in: directory.path)
        } catch {
            directory.remove()
            throw error
        }
    }

    /// Removes all files.
    func close() { directory.remove() }

    /// Measures the cost of an item of a kernel.
    ///
    /// Before instructions are counted, the kernel runs without valgrind, and its work is verified.
    func measure(_ kernel: Kernel) throws -> MeasuredKernel {
        try inMemory { place in
            let arguments = Self.arguments(kernel, passes: 2 * kernel.passes, place)
            try Program.run(
                program, arguments + ["--verify"], environment: Self.environment,
                in: directory.path)
        }
        let profiles = try [1, 2].map { try count(kernel, passes: $0 * kernel.passes) }
        do {
            let cost = try KernelCost(
                of: profiles[0], and: profiles[1], passes: kernel.passes, items: kernel.items)
            return MeasuredKernel(name: kernel.name, cost: cost, usesSQLite: kernel.usesSQLite)
        } catch {
            throw GateError("\(kernel.name): \(error)")
        }
    }

    private func count(_ kernel: Kernel, passes: Int) throws -> CallgrindProfile {
        let counts = directory.path + "/callgrind.out"
        try? FileManager.default.removeItem(atPath: counts)
        try inMemory { place in
            do {
                try Program.run(
                    valgrind,
                    Self.options(counts) + [program]
                        + Self.arguments(kernel, passes: passes, place),
                    environment: Self.environment, in: directory.path)
            } catch {
                throw GateError(
                    "\(kernel.name): \(error) | if valgrind cannot read the program's debugging "
                        + "information: install strip, of the package binutils")
            }
        }
        guard let data = FileManager.default.contents(atPath: counts) else {
            throw GateError("\(kernel.name): valgrind has not written \(counts)")
        }
        do {
            return try CallgrindProfile(text: String(decoding: data, as: UTF8.self))
        } catch {
            throw GateError("\(kernel.name): \(error)")
        }
    }

    /// Each run has a new directory for its files.
    private func inMemory(_ body: (Kernel.Place) throws -> Void) throws {
        let memory = try TemporaryDirectory(inMemory: true)
        defer { memory.remove() }
        try body(Kernel.Place(directory: memory.path))
    }
}

// The environment, which is the same each time.
extension KernelCounter {
    private static func options(_ counts: String) -> [String] {
        [
            // Not those in the user's files.
            "--command-line-only=yes", "--quiet", "--tool=callgrind", "--collect-jumps=no",
            "--dump-instr=no", "--separate-threads=no", "--callgrind-out-file=\(counts)",
        ]
    }

    /// The arguments have the same length for all numbers of passes.
    private static func arguments(
        _ kernel: Kernel, passes: Int, _ place: Kernel.Place
    ) -> [String] {
        let digits = String(passes)
        let zeros = String(repeating: "0", count: max(0, 4 - digits.count))
        return ["kernel", kernel.name, zeros + digits, "--directory", place.directory]
    }

    /// None of the user's variables, whose length would move the stack. The hashes of the standard
    /// library are the same in each process; and the C library must not select its memory functions
    /// by the machine.
    private static var environment: [String: String] {
        var variables = [
            "PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C", "TZ": "UTC",
            "SWIFT_DETERMINISTIC_HASHING": "1",
            "GLIBC_TUNABLES":
                "glibc.cpu.hwcaps=-AVX2,-AVX2_Usable,-AVX_Fast_Unaligned_Load,-ERMS,-FSRM",
        ]
        // Variables that are required to run.
        for name in ["LD_LIBRARY_PATH", "VALGRIND_LIB"] {
            variables[name] = ProcessInfo.processInfo.environment[name]
        }
        return variables
    }

    /// Copies this program without the debugging information, which valgrind may be unable to read;
    /// the names of the functions stay.
    private static func copyProgram(to copy: String, in directory: String) throws {
        guard let original = Bundle.main.executablePath else {
            throw GateError("the path of this program is unknown")
        }
        do {
            try FileManager.default.copyItem(atPath: original, toPath: copy)
        } catch {
            throw GateError("\(copy) cannot be written: \(error.localizedDescription)")
        }
        guard let strip = Program.path(of: "strip") ?? Program.path(of: "objcopy") else { return }
        try Program.run(
            strip, ["--strip-debug", copy], environment: ["PATH": "/usr/bin:/bin"], in: directory)
    }
}
