import DataFileCore
import Foundation
import Replication

/// Replicates a file in a process of its own.
struct SyncPass {
    static let people = DocumentCollection(CollectionName.default)

    let file: DataFile
    let endpoint: any ReplicationEndpoint

    /// Creates or opens a file with the usual settings.
    init(_ path: String, _ endpoint: any ReplicationEndpoint) throws {
        file = try DataFile(path: path, options: DataFileOptions(access: .create))
        self.endpoint = endpoint
    }

    private var replicator: Replicator {
        Replicator(file, to: endpoint, collections: [ReplicatedCollection(Self.people)])
    }

    /// Replicates once; prints the counts and the peak of the memory.
    func run() async throws {
        _ = ProcessMemory.resetPeak()
        let report = try await replicator.run()
        print(
            "pushed \(report.pushed), pulled \(report.pulled), peak memory "
                + "\(ProcessMemory.peak() >> 20) MiB, of it \(ProcessMemory.pagesOfFiles >> 20) MiB "
                + "of the program's files")
    }

    /// Replicates until the process ends, and prints the ID of each document that changes.
    func follow() async throws {
        let replicator = replicator
        let replication = Task {
            var isFirst = true
            for await status in replicator.start() where status.phase == .idle && isFirst {
                Self.show("ready")
                isFirst = false
            }
        }
        for await changes in try await file.changes(of: [Self.people.keyStore])[0] {
            for change in changes.changes { Self.show(change.key) }
        }
        await replication.value
    }

    private static func show(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}

/// A process of this program that goes on, and writes lines.
final class SyncFollower {
    private let process = Process()
    private let output = Pipe()
    private var rest: [UInt8] = []

    /// The ID of the process.
    var processID: Int32 { process.processIdentifier }

    /// Starts one that replicates a file continuously, and waits until the file is up to date.
    convenience init(_ arguments: [String]) async throws {
        try self.init(starting: arguments)
        try await wait(for: "ready")
    }

    /// Starts it.
    init(starting arguments: [String]) throws {
        guard let path = ChildProcess.thisProgram else {
            throw BenchmarkError(message: "the path of this program is unknown")
        }
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
    }

    /// Waits for a line.
    func wait(for line: String) async throws {
        while try await next() != line {}
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }

    /// The next line.
    func next() async throws -> String {
        while true {
            if let end = rest.firstIndex(of: 0x0A) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let handle = output.fileHandleForReading
            let data = await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    continuation.resume(returning: handle.availableData)
                }
            }
            guard !data.isEmpty else { throw BenchmarkError(message: "the process has ended") }
            rest += data
        }
    }
}
