/// An error of `OONIStore`: what happened, to what, why, and what to do about it.
///
/// The store throws it for values that violate its rules, such as a measurement of a result that
/// does not exist. Errors of the database, such as a full disk, are `StoreError`. A transaction in
/// which either of them is thrown, and not caught, is rolled back.
///
/// ```swift
/// do {
///     try probe.write { try probe.results.markAsViewed(resultID, in: $0) }
/// } catch let error as OONIStoreError where error.code == .unknownResult {
///     print("The result was deleted in the meantime.")
/// }
/// ```
///
/// Decide by its ``code``; the ``message`` is for people and may change.
public struct OONIStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error, by which a program decides what to do.
    public enum Code: Hashable, Sendable {
        /// The result does not exist; it may have been deleted, or may have expired.
        case unknownResult
        /// The measurement does not exist; it may have been deleted, or its result may have
        /// expired.
        case unknownMeasurement
        /// The network does not exist: ``OONIStore/Networks/register(_:in:)`` creates it before its
        /// results.
        case unknownNetwork
        /// The descriptor, or the revision of it, does not exist: save or install it before its
        /// results.
        case unknownDescriptor
        /// The website does not exist: register it with ``OONIStore/urls`` first.
        case unknownUrl
        /// A newer version of this library has written the file or the lines. Only a newer version
        /// reads them; the file is not changed.
        case newerVersion
        /// The JSON of a descriptor is invalid or incomplete, or its link's number or its revision
        /// is not allowed.
        case invalidDescriptor
        /// A file is not a database of OONI Probe, or its version is too old or too new; also for a
        /// store whose version is invalid.
        case notReadable
        /// A line of an export is invalid; the message begins with its number.
        case invalidLine
        /// Lines can be imported only into an empty store that has never assigned a number.
        case notEmpty
        /// A number is not one that the store can assign: from 1 to 999,999,999,999.
        case invalidIdentifier
    }

    /// The kind of error.
    public let code: Code
    /// One line: what happened, to what, and what to do. It is in English and contains names and
    /// numbers of the store's documents.
    public let message: String

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
