/// An error of `OONIStore`: what happened, to what, why, and what to do about it. Errors of the
/// database are `StoreError`.
public struct OONIStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Hashable, Sendable {
        /// The result does not exist.
        case unknownResult
        /// The measurement does not exist.
        case unknownMeasurement
        /// The network does not exist.
        case unknownNetwork
        /// The descriptor, or the revision of it, does not exist.
        case unknownDescriptor
        /// The website does not exist.
        case unknownUrl
        /// A newer version of this library has written the file.
        case newerVersion
        /// The JSON of a descriptor is invalid or incomplete.
        case invalidDescriptor
        /// A file is not a database of OONI Probe, or its version is too old or too new.
        case notReadable
        /// A line of an export is invalid.
        case invalidLine
        /// Lines can be imported only into an empty store.
        case notEmpty
        /// A number or a name is not valid for its purpose.
        case invalidIdentifier
    }

    /// The kind of error.
    public let code: Code
    /// One line: what happened, to what, and what to do.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
