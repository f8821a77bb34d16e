import Foundation

/// Messages besides the figures.
enum Notice {
    /// Prints progress.
    static func progress(_ text: String) {
        FileHandle.standardError.write(Data("kvgate: \(text)\n".utf8))
    }

    /// Prints a warning, also as an annotation of a GitHub workflow.
    static func warn(_ text: String) {
        progress("*** \(text) ***")
        if ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" {
            print("::warning title=kvgate::\(text)")
        }
    }
}
