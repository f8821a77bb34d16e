public import FleeceLite

/// A machine learning model, or any other function of a document that is too costly or too complex
/// for an expression.
///
/// A model gets a dictionary that a query or an index creates from a document, and returns a value,
/// usually a dictionary of results:
///
/// ```swift
/// struct ReadingTime: PredictiveModel {
///     func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
///         guard let text = input["text"]?.string else { return nil }
///         let words = text.split(separator: " ").count
///         return ["words": .int(Int64(words)), "minutes": .int(Int64(words / 200 + 1))]
///     }
/// }
/// PredictiveModels.register(ReadingTime(), as: "readingTime")
/// ```
///
/// Queries call it by the registered name, and a predictive index stores its results, so that a
/// query reads them from there and need not call the model:
///
/// ```swift
/// let query = try Query(
///     "SELECT title, PREDICTION('readingTime', {'text': body}, .minutes) AS minutes FROM _")
/// let index = IndexSpec.predictive(
///     "byMinutes", on: "prediction('readingTime', {'text': body}, .minutes)")
/// try file.write { _ = try people.createIndex(index, in: $0) }
/// ```
///
/// A prediction must depend only on the input and the model, since indexes store it until the
/// document changes. When the model itself changes, rebuild the indexes that use it.
///
/// One value serves all files and threads of the process, concurrently. A model that is not
/// thread-safe needs a lock of its own. See ``PredictiveModels``.
public protocol PredictiveModel: Sendable {
    /// Predicts the output for an input: usually a dictionary of properties, but any value is
    /// allowed.
    ///
    /// Called on reading and writing threads, concurrently, once for each document; when an index
    /// is updated, inside a transaction, so that its duration is added to that of the write. It
    /// must not use the data file that calls it.
    ///
    /// ```swift
    /// struct Adult: PredictiveModel {
    ///     func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
    ///         guard let age = input["age"]?.int else { return nil }
    ///         return .bool(age >= 18)
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter input: the dictionary that the query or the index creates from a document. It is
    ///   a copy and may be retained.
    /// - Returns: nil if there is no prediction, which is MISSING in a query; an index then omits
    ///   the document.
    /// - Throws: any error. The query fails then with its description, and so does a write unless
    ///   the index tolerates failures.
    func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue?
}
