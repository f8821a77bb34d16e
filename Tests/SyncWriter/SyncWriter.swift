import DataFileCore
import FleeceLite
import PostgresReplication
import Replication

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Replicates a data file with a server until it is killed:
/// `SyncWriter PATH URL SCHEMA write|follow|keep`.
///
/// With `write` it saves the documents `child-<n>` and `child` before each replication, both with
/// the property `n`, and prints `n` once they are committed, and again with `replicated` once the
/// server has them. It continues from where the document `child` says that it was killed. With
/// `follow` it only replicates, and prints how many documents it has pulled and pushed; `keep` is
/// the same, and conflicts are kept. A server that cannot be reached is tried again.
@main
enum SyncWriter {
    static let people = DocumentCollection(.default)

    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, ["write", "follow", "keep"].contains(arguments[4])
        else {
            say("usage: SyncWriter PATH URL SCHEMA write|follow|keep")
            exit(2)
        }
        let file = try DataFile(path: arguments[1], options: options)
        let endpoint = try PostgresEndpoint(arguments[2], schema: arguments[3])
        let resolver: ConflictResolver = arguments[4] == "keep" ? .keep : .lastWriterWins
        let settings = ReplicatedCollection(people, resolver: resolver)
        let replicator = Replicator(file, to: endpoint, collections: [settings])
        var number: Int64 = try await file.read { snapshot in
            guard try people.exists(in: snapshot) else { return 0 }
            return try people.get("child", in: snapshot)?["n"]?.int ?? 0
        }
        say("ready")
        while true {
            if arguments[4] == "write" {
                number += 1
                try await save(number, file)
                say("\(number)")
            }
            do {
                _ = try await replicator.run { status in
                    guard arguments[4] != "write" else { return }
                    say("\(status.report.pulled) \(status.report.pushed)")
                }
                say("replicated \(number)")
            } catch let error as ReplicationError where error.isTransient {
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    /// What is acknowledged is on the disk.
    private static var options: DataFileOptions {
        var options = DataFileOptions(access: .create)
        options.synchronous = .full
        return options
    }

    private static func save(_ number: Int64, _ file: DataFile) async throws {
        try await file.write { transaction in
            for id in ["child-\(number)", "child"] {
                _ = try people.save(id, in: transaction) {
                    try $0.writeJSON(#"{"n": \#(number)}"#)
                }
            }
        }
    }

    /// One line, whole or not at all: a pipe takes so few bytes at once.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}
