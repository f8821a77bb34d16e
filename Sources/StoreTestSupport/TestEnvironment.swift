internal import Foundation

/// What whoever runs the tests says by variables of the environment, such as `STORE_SEED`.
package enum TestEnvironment {
    /// A number, `standard` if there is none of this name.
    package static func number(_ name: String, or standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}
