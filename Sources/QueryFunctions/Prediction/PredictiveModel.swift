public import FleeceLite

/// A machine learning model, or any other function of a document that is too costly or too complex
/// for an expression.
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
/// Queries call `PREDICTION("sentiment", {"text": …})`; a predictive index stores the predictions.
///
/// A prediction must depend only on the input and the model, since indexes store it until the
/// document changes. When the model itself changes, rebuild the indexes that use it.
public protocol PredictiveModel: Sendable {
    /// Predicts the output for an input: usually a dictionary of properties, but any value is
    /// allowed.
    ///
    /// Called on reading and writing threads, concurrently, once for each document; when an index
    /// is updated, inside a transaction. It must not use the data file that calls it.
    /// - Parameter input: the dictionary that the query or the index creates from a document. It is
    ///   a copy and may be retained.
    /// - Returns: nil if there is no prediction, which is MISSING in a query; an index then omits
    ///   the document.
    ///
    /// If it throws, the query fails, and so does a write unless the index tolerates failures.
    func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue?
}
