internal import SQLCore
internal import StorePlatform

/// The prediction models of this process, by the names that queries and indexes use.
///
/// A file with a predictive index cannot be written until the model is registered: register it
/// before the file is opened. All functions are thread-safe.
///
/// ```swift
/// struct Length: PredictiveModel {
///     func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
///         input["text"]?.string.map { .int(Int64($0.utf8.count)) }
///     }
/// }
/// PredictiveModels.register(Length(), as: "length")
/// let file = try DataFile(path: path, options: DataFileOptions(access: .readWrite))
/// ```
///
/// Models are not stored in files. A query that calls an unregistered model throws, and names the
/// model.
public enum PredictiveModels {
    private static let models = Locked<[String: any PredictiveModel]>([:])

    /// Registers a model under a name, replacing a previous one.
    ///
    /// Running calls finish with the previous model. Names that are canonically equivalent in
    /// Unicode are the same name. Existing predictions in indexes remain: after registering a
    /// changed model, rebuild them.
    ///
    /// ```swift
    /// func update(to model: some PredictiveModel) throws {
    ///     PredictiveModels.register(model, as: "mood")
    ///     try file.write { try people.rebuildIndex("byMood", in: $0) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - model: the model, which remains in memory until it is unregistered or replaced.
    ///   - name: the name, the first argument of `PREDICTION`.
    public static func register(_ model: some PredictiveModel, as name: String) {
        exchange(model, name)
    }

    /// Unregisters a model; does nothing if no model has this name. Running calls finish with the
    /// model; later queries that use it fail, and so do writes to a collection with an index on it,
    /// unless the index tolerates failures.
    ///
    /// - Parameter name: the name with which it was registered.
    public static func unregister(_ name: String) {
        exchange(nil, name)
    }

    /// The names of all registered models, sorted.
    ///
    /// ```swift
    /// if !PredictiveModels.registered.contains("mood") { show("register the model first") }
    /// ```
    public static var registered: [String] {
        models.withLock { Array($0.keys) }.sorted()
    }

    /// The model with a name, for example to call it directly; nil if there is none.
    ///
    /// ```swift
    /// let input = try FleeceDocument(json: json).root.dictionary
    /// if let model = PredictiveModels.model(named: "mood"), let input {
    ///     show(try model.predict(input)?["label"]?.string ?? "no prediction")
    /// }
    /// ```
    ///
    /// - Parameter name: the name with which it was registered.
    public static func model(named name: String) -> (any PredictiveModel)? {
        models.withLock { $0[name] }
    }

    /// The old model is released after the lock: its `deinit` may use the registry.
    private static func exchange(_ model: (any PredictiveModel)?, _ name: String) {
        let old = models.withLock { all in
            let old = all[name]
            all[name] = model
            return old
        }
        withExtendedLifetime(old) {}
    }
}
