internal import Foundation

/// Settings of a test run in environment variables, such as `STORE_SEED`.
package enum TestEnvironment {
    /// A number; `standard` if the variable is not set.
    package static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}
