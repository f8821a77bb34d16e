/// Metadata of the list of servers.
public enum ServerMetadata {
    /// The key of a metadata value.
    public enum Key: String, Codable, CaseIterable, Hashable, Sendable {
        /// `Last-Modified` of the newest list of free servers, as received from the API.
        case lastModifiedFree
        /// `Last-Modified` of the newest list of all servers, as received from the API.
        case lastModifiedAll
        /// The number of successful refreshes since the last list of all servers, in digits.
        case consecutiveSuccessfulRefreshes
    }
}
