import ProjectTestSupport
import Foundation

extension PostgresServer {
    /// Limits the size of each file that new connections write, as a disk that becomes full; nil
    /// for no limit.
    func limitFiles(to bytes: Int?) throws {
        let lines = try String(contentsOfFile: "\(data)/postmaster.pid", encoding: .utf8)
        guard let id = lines.split(separator: "\n").first else {
            throw Failure(message: "postmaster.pid is empty")
        }
        let limit = bytes.map { "\($0)" } ?? "unlimited"
        // The soft limit alone, which can be raised again.
        try run(Self.user + ["/usr/bin/prlimit", "--pid", "\(id)", "--fsize=\(limit):"])
    }
}
