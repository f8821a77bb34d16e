import CFloor
import DataFileCore
import Foundation
import SampleData

/// The most memory that a walk through many documents takes, each in a process of its own.
enum StoreMemory {
    private static let orders: [(RecordEnumerator.Order, String)] = [
        (.key, "key"), (.sequence, "sequence"), (.unsorted, "unsorted"),
    ]

    static func report(_ count: Int) throws {
        try FileManager.default.createDirectory(
            atPath: StoreData.folder, withIntermediateDirectories: true)
        let path = StoreData.folder + "/many.cblite2"
        let ages = try fill(path, count)
        print("memory of a walk through \(count) documents, ages of \(ages) in all:")
        for (_, name) in orders { try runWalk(path, name, ages) }
        try addIndex(path)
        print("with an index of the sequences:")
        try runWalk(path, "sequence", ages)
    }

    private static func fill(_ path: String, _ count: Int) throws -> Int {
        let file = try DataFile(path: path, options: StoreData.options(.create))
        defer { file.close() }
        var people = People(count: count)
        var ages = 0
        var isAtEnd = false
        while !isAtEnd {
            try file.write { transaction in
                for _ in 0..<10_000 {
                    guard let person = people.next() else {
                        isAtEnd = true
                        return
                    }
                    let id = StoreData.id(person)
                    _ = try Collection(.default).save(id, in: transaction) {
                        try $0.writeJSON(StoreData.withoutID(person))
                    }
                    ages += StoreData.age(person)
                }
            }
        }
        return ages
    }

    private static func addIndex(_ path: String) throws {
        guard let database = floor_open(path + "/db.sqlite3") else {
            throw BenchmarkError(message: "SQLite cannot be opened")
        }
        defer { floor_close(database) }
        let sql = #"CREATE UNIQUE INDEX "kv_default_seqs" ON "kv_default" (sequence)"#
        guard floor_exec(database, sql) == 0 else { throw BenchmarkError(message: sql) }
    }

    private static func runWalk(_ path: String, _ order: String, _ ages: Int) throws {
        // What is printed comes before what the process prints.
        fflush(nil)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: CommandLine.arguments[0])
        process.arguments = ["--walk", path, order, String(ages)]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError(message: "the walk by \(order) failed")
        }
    }

    /// What the process of a walk does.
    static func walk(_ arguments: [String]) throws {
        guard let order = orders.first(where: { $0.1 == arguments[1] })?.0 else {
            throw BenchmarkError(message: "unknown order \(arguments[1])")
        }
        let before = try peakKilobytes()
        let file = try DataFile(path: arguments[0], options: StoreData.options(.readOnly))
        defer { file.close() }
        var options = RecordEnumerator.Options()
        options.order = order
        var ages = 0
        var count = 0
        try file.read { snapshot in
            let age = Int32(snapshot.sharedKeys.index(of: "age") ?? -1)
            try KeyStore(.default).records(options, in: snapshot).forEachRow { row in
                count += 1
                ages += row.withBody { Int(floor_age($0.baseAddress, Int64($0.count), age)) }
                return true
            }
        }
        guard String(ages) == arguments[2] else {
            throw BenchmarkError(message: "ages of \(ages), not \(arguments[2])")
        }
        let after = try peakKilobytes()
        print(
            "  \(arguments[1].padding(to: 10)) \(after / 1024) MB, before the file was opened",
            "\(before / 1024) MB; \(count) documents")
    }

    /// The most memory that this process has had.
    private static func peakKilobytes() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let number = line?.split(whereSeparator: { !$0.isNumber }).first
        guard let number, let kilobytes = Int(number) else {
            throw BenchmarkError(message: "/proc/self/status has no VmHWM")
        }
        return kilobytes
    }
}
