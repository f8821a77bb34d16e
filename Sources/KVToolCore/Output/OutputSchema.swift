/// The name and number of the JSON that a command prints, as in `kvtool.info/2`.
///
/// A field keeps its name and meaning within a number; new fields may be added. A command whose
/// fields are renamed or redefined gets the next number here.
package enum OutputSchema {
    private static let numbers = [
        // `logBytes`, `unreadLogBytes` and the value `textOrder` of `stale` were renamed.
        "compact": 2, "index.ls": 2, "index.show": 2, "info": 2, "stat": 2,
    ]

    /// Returns the name of the output of a command, which is in `schema`.
    package static func name(_ command: String) -> String {
        "kvtool.\(command)/\(numbers[command] ?? 1)"
    }
}
