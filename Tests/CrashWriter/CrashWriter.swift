import DocumentStore

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes transactions to a data file until it is killed, and says after each commit which one it
/// was: `CrashWriter PATH SLOTS PARTS honest|early|split`.
///
/// Transaction n writes PARTS documents `<n modulo SLOTS>-<part>` and the document `last`, all with
/// the property `n`. It goes on from where the file's `last` says that it was killed. One that is
/// not honest says so before the commit (`early`), or commits each document by itself (`split`).
///
/// With other arguments it does something else: see `CrashWorkload`, `EncryptionWorkload` and
/// `Counting`.
@main
enum CrashWriter {
    static func main() throws {
        let arguments = CommandLine.arguments
        if arguments.count == 3, let workload = CrashWorkload(rawValue: arguments[2]) {
            try workload.run(on: try DataFile(path: arguments[1], options: options))
        }
        if arguments.count == 3, let workload = EncryptionWorkload(rawValue: arguments[2]) {
            try workload.run(arguments[1])
        }
        if arguments.count == 5, let work = Counting.Work(rawValue: arguments[2]),
            let time = Int(arguments[4])
        {
            return try Counting(
                work: work, name: arguments[3], milliseconds: time
            ).run(path: arguments[1])
        }
        guard arguments.count == 5, let slots = Int64(arguments[2]), let parts = Int(arguments[3])
        else {
            say(
                "usage: CrashWriter PATH SLOTS PARTS honest|early|split, "
                    + "PATH upgrade|expiry|compaction|blobs|indexes, "
                    + "PATH rekey|encrypt|checkpoint, or "
                    + "PATH count|notes|blobs NAME MILLISECONDS")
            exit(2)
        }
        let file = try DataFile(path: arguments[1], options: options)
        var number = try file.read { try documents.get("last", in: $0)?["n"]?.int ?? 0 }
        say("ready")
        while true {
            number += 1
            let ids = (0..<parts).map { "\(number % slots)-\($0)" } + ["last"]
            if arguments[4] == "early" { say("\(number)") }
            for transaction in arguments[4] == "split" ? ids.map({ [$0] }) : [ids] {
                try save(transaction, number, in: file)
            }
            if arguments[4] != "early" { say("\(number)") }
        }
    }

    static let documents = DocumentCollection(.default)

    /// What is acknowledged is on the disk.
    static var options: DataFileOptions {
        var options = DataFileOptions(access: .create)
        options.synchronous = .full
        options.blobGraceSeconds = 0
        return options
    }

    private static func save(_ ids: [String], _ number: Int64, in file: DataFile) throws {
        try file.write { transaction in
            for id in ids {
                _ = try documents.save(id, in: transaction) {
                    try $0.writeJSON(#"{"n": \#(number)}"#)
                }
            }
        }
    }

    /// One line, whole or not at all: a pipe takes so few bytes at once.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}
