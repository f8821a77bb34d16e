internal import SQLCore
internal import StorePlatform

/// The prediction models of this process, by the names that queries and indexes use.
///
/// A file with a predictive index cannot be written until the model is registered: register it
/// before the file is opened. All functions are thread-safe.
public enum PredictiveModels {
    private static let models = Locked<[String: any PredictiveModel]>([:])

    /// Registers a model under a name, replacing a previous one.
    ///
    /// Running calls finish with the previous model. Names that are canonically equivalent in
    /// Unicode are the same name.
    public static func register(_ model: some PredictiveModel, as name: String) {
        exchange(model, name)
    }

    /// Unregisters a model; does nothing if no model has this name. Running calls finish with the
    /// model; later queries that use it fail, and so do writes to a collection with an index on it,
    /// unless the index tolerates failures.
    public static func unregister(_ name: String) {
        exchange(nil, name)
    }

    /// The names of all registered models, sorted.
    public static var registered: [String] {
        models.withLock { Array($0.keys) }.sorted()
    }

    /// The model with a name; nil if there is none.
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
