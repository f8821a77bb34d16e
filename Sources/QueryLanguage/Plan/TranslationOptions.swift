/// How a query is translated, besides its text.
@usableFromInline
package struct TranslationOptions: Hashable, Sendable {
    /// What is known of the values of parameters.
    @usableFromInline package var parameters = ParameterTypes()
    /// Whether groups and extremes are computed without indexes, where values of different types
    /// would be indistinguishable.
    @usableFromInline package var avoidsIndexes = false
    /// Whether the document IDs are added as a first column, if the rows are documents.
    @usableFromInline package var addsKeys = false
    /// Whether only documents are read whose IDs are in the array `changedKeys`.
    @usableFromInline package var onlyChanged = false

    @inlinable
    package init() {}

    /// The name of that parameter; parameters of queries have an underscore after the sign.
    package static let changedKeys = "$changed"
}
