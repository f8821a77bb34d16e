/// A failure of a database, or a result that is not the expected one.
package struct StandardError: Error, CustomStringConvertible {
    /// What happened.
    package let message: String

    /// Creates an error.
    package init(_ message: String) {
        self.message = message
    }

    /// The message.
    package var description: String { message }
}
