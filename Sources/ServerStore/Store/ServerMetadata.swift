/// Metadata of the list of servers: strings that are stored with the list, in the same transaction.
///
/// ``ServerRefresh`` reads and writes all of them. An application that fetches the list itself
/// passes them to ``ServerStore/replaceList(_:scope:metadata:allowsEmpty:in:)``.
/// ```swift
/// let lastModified = try repository.getMetadata(.lastModifiedAll)
/// try repository.setMetadata(nil, for: .lastModifiedAll)  // requests the list unconditionally
/// ```
public enum ServerMetadata {
    /// The key of a metadata value. Its raw value is the ID of a document of the collection
    /// `vpn.metadata`.
    public enum Key: String, Codable, CaseIterable, Hashable, Sendable {
        /// `Last-Modified` of the newest list of free servers, as received from the API.
        case lastModifiedFree
        /// `Last-Modified` of the newest list of all servers, as received from the API.
        case lastModifiedAll
        /// The number of successful refreshes since the last list of all servers, in digits.
        case consecutiveSuccessfulRefreshes
    }
}
