/// What an `OONIStore` could not do: to what, why, and what to do about it. What the engine beneath
/// it throws is a `StoreError`.
public struct OONIStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of error it is.
    public enum Code: Hashable, Sendable {
        /// There is no such result.
        case unknownResult
        /// There is no such measurement.
        case unknownMeasurement
        /// There is no such network.
        case unknownNetwork
        /// There is no such descriptor, or not in that revision.
        case unknownDescriptor
        /// There is no such website.
        case unknownUrl
        /// A newer version of this library has written the file.
        case newerVersion
        /// A descriptor's JSON is not one, or lacks something.
        case invalidDescriptor
        /// A file is not a database of OONI Probe, or one that is too old or too new.
        case notReadable
        /// A line of an export is not one.
        case invalidLine
        /// Lines are to be imported into a store that holds something.
        case notEmpty
        /// A number or a name cannot be that of what it is for.
        case invalidIdentifier
    }

    /// What kind of error it is.
    public let code: Code
    /// One line: what happened, to what, what to do.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
