import Foundation

/// What a test has measured, on standard error: a run that tried nothing is seen at once.
enum Figures {
    static func note(_ line: String) {
        FileHandle.standardError.write(Data("FIGURES: \(line)\n".utf8))
    }

    /// A number that the environment gives.
    static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap(Int.init) ?? standard
    }
}
