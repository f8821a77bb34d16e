/// What is known of a list besides its servers.
public enum ServerMetadata {
    /// What a value is of.
    public enum Key: String, Codable, CaseIterable, Hashable, Sendable {
        /// `Last-Modified` of the newest list of free servers, as the API sent it.
        case lastModifiedFree
        /// `Last-Modified` of the newest list of all servers, as the API sent it.
        case lastModifiedAll
        /// How many refreshes have succeeded since the last list of all servers, in digits.
        case consecutiveSuccessfulRefreshes
    }
}
