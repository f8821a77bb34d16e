import Foundation

/// Prints a test's measurements to standard error, which shows whether the run tested anything.
enum Figures {
    static func note(_ line: String) {
        FileHandle.standardError.write(Data("FIGURES: \(line)\n".utf8))
    }
}
