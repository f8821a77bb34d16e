/// Whether the commands of a context may change databases.
package final class WriteProtection: ContextValue {
    /// Whether they may not.
    package let isOn: Bool

    /// What those are told that want to.
    package static let refusal =
        "the inspector only reads; start it with --writable to allow changes"

    package convenience init() { self.init(false) }

    package init(_ isOn: Bool) {
        self.isOn = isOn
    }
}
