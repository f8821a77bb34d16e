/// Whether the commands of a context may change databases.
package final class WriteProtection: ContextValue {
    /// Whether they may not.
    package let isOn: Bool

    package convenience init() { self.init(false) }

    package init(_ isOn: Bool) {
        self.isOn = isOn
    }
}
