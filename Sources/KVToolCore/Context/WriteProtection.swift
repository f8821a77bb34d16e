/// Whether the commands of a context may change databases.
package final class WriteProtection: ContextValue {
    /// Whether they may not.
    package let isOn: Bool

    /// The error of commands that would.
    package static let refusal =
        "changes are not allowed; kvtool serve allows them with --writable, DatabaseInspector with "
        + "isWritable"

    package convenience init() { self.init(false) }

    package init(_ isOn: Bool) {
        self.isOn = isOn
    }
}
