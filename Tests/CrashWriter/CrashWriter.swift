import DataFileCore
import FleeceLite

#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Writes transactions to a data file until it is killed, and says after each commit which one it
/// was: `CrashWriter PATH SLOTS PARTS`.
///
/// Transaction n writes PARTS documents `<n modulo SLOTS>-<part>` and the document `last`, all with
/// the property `n`. It goes on from where the file's `last` says that it was killed.
@main
enum CrashWriter {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let slots = Int64(arguments[2]), let parts = Int(arguments[3])
        else {
            say("usage: CrashWriter PATH SLOTS PARTS")
            exit(2)
        }
        let file = try DataFile(path: arguments[1], options: options)
        let documents = Collection(.default)
        var number = try file.read { try documents.get("last", in: $0)?["n"]?.int ?? 0 }
        say("ready")
        while true {
            number += 1
            try file.write { transaction in
                let ids = (0..<parts).map { "\(number % slots)-\($0)" } + ["last"]
                for id in ids {
                    _ = try documents.save(id, in: transaction) {
                        try $0.writeJSON(#"{"n": \#(number)}"#)
                    }
                }
            }
            say("\(number)")
        }
    }

    /// What is acknowledged must outlast the machine.
    private static var options: DataFileOptions {
        DataFileOptions(access: .create)
    }

    /// One line, whole or not at all: a pipe takes so few bytes at once.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}
