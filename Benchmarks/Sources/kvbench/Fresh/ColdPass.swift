import Foundation

/// The results of one pass of a `ColdTask` in a new process.
struct ColdPass {
    /// Wall-clock seconds.
    let seconds: Double
    /// The result of the task.
    let result: Int
    /// The bytes read from the disk; nil if the system does not report it.
    let read: Int?

    /// Measures `body`.
    init(_ body: () throws -> Int) rethrows {
        let before = Self.bytesRead
        let start = Clock.wall()
        result = try body()
        seconds = Clock.wall() - start
        read = Self.bytesRead.flatMap { after in before.map { after - $0 } }
    }

    /// Parses the output of another process.
    init?(_ text: String) {
        let fields = text.split(whereSeparator: \.isWhitespace)
        guard fields.count == 3, let seconds = Double(fields[0]), let result = Int(fields[1])
        else { return nil }
        (self.seconds, self.result, read) = (seconds, result, Int(fields[2]))
    }

    var text: String { "\(seconds) \(result) \(read.map(String.init) ?? "-")" }

    private static var bytesRead: Int? {
        let text = try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = text?.split(separator: "\n").first { $0.hasPrefix("read_bytes:") }
        return line?.split(separator: " ").last.flatMap { Int($0) }
    }
}
