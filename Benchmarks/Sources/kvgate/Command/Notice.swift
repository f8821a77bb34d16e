import Foundation

/// Lines beside the figures.
enum Notice {
    /// What goes on.
    static func tell(_ text: String) {
        FileHandle.standardError.write(Data("kvgate: \(text)\n".utf8))
    }

    /// What must not be overlooked, in a workflow of GitHub neither.
    static func warn(_ text: String) {
        tell("*** \(text) ***")
        if ProcessInfo.processInfo.environment["GITHUB_ACTIONS"] == "true" {
            print("::warning title=kvgate::\(text)")
        }
    }
}
