import Foundation

/// What a test has measured, on standard error: a run that tried nothing is seen at once.
enum Figures {
    static func note(_ line: String) {
        FileHandle.standardError.write(Data("FIGURES: \(line)\n".utf8))
    }
}
