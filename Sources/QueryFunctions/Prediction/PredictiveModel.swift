public import FleeceLite

/// A model of machine learning, or any other function of a document that is too costly or too
/// large for an expression.
///
/// ```swift
/// struct Sentiment: PredictiveModel {
///     func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
///         guard let text = input["text"]?.string else { return nil }
///         return ["positive": .double(try classifier.score(text))]
///     }
/// }
/// PredictiveModels.register(Sentiment(classifier), as: "sentiment")
/// ```
/// Queries then call `PREDICTION("sentiment", {"text": …})`, and an index of it keeps the answers.
///
/// The answer must depend on the input and the model alone: indexes keep it until the document
/// changes. When the model itself changes, rebuild the indexes that use it.
public protocol PredictiveModel: Sendable {
    /// The answer to an input: usually a dictionary of properties, but any value will do.
    ///
    /// Called on the threads that read and write, several at a time, once for each document that is
    /// looked at; inside a transaction where an index is kept current. It must not use the data
    /// file that calls it.
    /// - Parameter input: the dictionary that the query or the index makes of a document. It is a
    ///   copy and may be kept.
    /// - Returns: nil where there is no answer, which is MISSING to the query; the document is then
    ///   left out of the index.
    ///
    /// What it throws makes the query fail, and a write too unless the index lets such documents
    /// out.
    func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue?
}
