package import StoreFormat

extension StoreError {
    /// An expression that has no meaning.
    package static func invalidQuery(_ message: String, underlying: (any Error)? = nil)
        -> StoreError
    {
        StoreError(.invalidQuery, message, underlying: underlying)
    }
}
