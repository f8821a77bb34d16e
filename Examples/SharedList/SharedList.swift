import DocumentStore
import Foundation
import PostgresReplication
import Replication

/// A shopping list that several people write, each in a file of their own, also while they are
/// offline.
///
///   swift run shared-list LIST.cblite2 add milk 2
///   swift run shared-list LIST.cblite2 list
///   swift run shared-list LIST.cblite2 sync postgresql:///store
///   swift run shared-list LIST.cblite2 follow postgresql:///store
@main
enum Program {
    static func main() async {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard arguments.count >= 2, try await run(arguments[1], arguments) else {
                fail("usage: shared-list LIST.cblite2 add ITEM AMOUNT | list | sync|follow URL")
            }
        } catch {
            fail("\(error)")
        }
    }

    private static func fail(_ message: String) -> Never {
        FileHandle.standardError.write(Data((message + "\n").utf8))
        exit(2)
    }

    private static func run(_ command: String, _ arguments: [String]) async throws -> Bool {
        let list = try ShoppingList(path: arguments[0])
        switch (command, arguments.count) {
        case ("add", 4):
            guard let amount = Int(arguments[3]) else { return false }
            try await list.add(amount, of: arguments[2])
        case ("list", 2): for line in try await list.lines() { print(line) }
        case ("sync", 3):
            let report = try await list.replicator(arguments[2]).run()
            print(
                "sent \(report.pushed), received \(report.pulled), merged \(report.conflictCount)")
        case ("follow", 3): try await follow(list, arguments[2])
        default: return false
        }
        return true
    }

    /// Prints the list after each change, by this or another process or device, until Ctrl-C.
    private static func follow(_ list: ShoppingList, _ url: String) async throws {
        let replicator = try await list.replicator(url)
        async let replication: Void = {
            for await status in replicator.start() {
                guard let error = status.lastError else { continue }
                show("not connected: \(error)")
            }
        }()
        for try await rows in list.file.observe(list.query) {
            show(rows.map(ShoppingList.line).joined(separator: ", "))
        }
        await replication
    }

    /// Prints a line now, also into a pipe.
    private static func show(_ line: String) {
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
