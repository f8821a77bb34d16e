import Foundation
import ProjectTestSupport

/// The golden files, and the independent encoder in Python beside them.
///
/// The directory is that of the environment variable `STORE_GOLDEN`, or else `../shared/golden`
/// relative to the package. If something is missing, a test reports it and passes.
enum Oracle {
    private static let golden: URL = {
        if let path = ProcessInfo.processInfo.environment["STORE_GOLDEN"], !path.isEmpty {
            return URL(filePath: path, directoryHint: .isDirectory)
        }
        return PackageDirectory.url.appending(
            path: "../shared/golden", directoryHint: .isDirectory)
    }()

    private static let tools = golden.appending(path: "../tools", directoryHint: .isDirectory)

    /// The bytes of a golden file; nil, and a line that reports it, if there is none.
    static func file(_ name: String) -> [UInt8]? {
        let url = golden.appending(path: "fleece").appending(path: name)
        guard let data = try? Data(contentsOf: url) else {
            print("SKIPPED: there is no golden file \(url.path(percentEncoded: false))")
            return nil
        }
        return [UInt8](data)
    }

    /// Runs Python text that may import `fleece_oracle`, and returns the lines that it prints.
    ///
    /// Nil, and a line that reports it, if there is no Python 3 or no oracle.
    static func lines(of script: String, _ arguments: [String]) throws -> [String]? {
        let oracle = tools.appending(path: "fleece_oracle.py")
        guard FileManager.default.fileExists(atPath: oracle.path(percentEncoded: false)) else {
            print("SKIPPED: there is no oracle \(oracle.path(percentEncoded: false))")
            return nil
        }
        guard try run("import sys; sys.exit(0)", []).status == 0 else {
            print("SKIPPED: there is no python3")
            return nil
        }
        let (status, output) = try run(script, arguments)
        guard status == 0 else { throw Failure(status: status) }
        return output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    struct Failure: Error {
        let status: Int32
    }

    private static func run(
        _ script: String, _ arguments: [String]
    ) throws -> (status: Int32, output: String) {
        #if os(macOS) || os(Linux)
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3", "-B", "-c", script] + arguments
            var environment = ProcessInfo.processInfo.environment
            environment["PYTHONPATH"] = tools.path(percentEncoded: false)
            environment["PYTHONIOENCODING"] = "utf-8"
            process.environment = environment
            let pipe = Pipe()
            process.standardOutput = pipe
            process.standardInput = FileHandle.nullDevice
            try process.run()
            let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: output, as: UTF8.self))
        #else
            // Nothing else runs other programs.
            return (1, "")
        #endif
    }
}

/// Passes the path of a temporary file that contains the lines.
func withFile<T>(of lines: [String], _ body: (String) throws -> T) throws -> T {
    try withFile(Data((lines.joined(separator: "\n") + "\n").utf8), body)
}

/// Passes the path of a temporary file.
func withFile<T>(_ data: Data, _ body: (String) throws -> T) throws -> T {
    let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try data.write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    return try body(url.path(percentEncoded: false))
}
