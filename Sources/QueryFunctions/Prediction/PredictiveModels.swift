internal import SQLCore
internal import StorePlatform

/// The models of this process, by the names that queries and indexes know them by.
///
/// A file that has a predictive index cannot be written to until the model is registered: do so
/// before the file is opened. All functions may be called on any thread.
public enum PredictiveModels {
    private static let models = Locked<[String: any PredictiveModel]>([:])

    /// Makes a model known by a name, in place of the one that had it.
    ///
    /// Calls that are under way end with the model they began with. Names that differ in how their
    /// letters are composed only are one name.
    public static func register(_ model: some PredictiveModel, as name: String) {
        exchange(model, name)
    }

    /// Forgets a model; does nothing if there is none of this name.
    public static func unregister(_ name: String) {
        exchange(nil, name)
    }

    /// The names that have a model, sorted.
    public static var registered: [String] {
        models.withLock { Array($0.keys) }.sorted()
    }

    /// The model of a name, nil if there is none.
    public static func model(named name: String) -> (any PredictiveModel)? {
        models.withLock { $0[name] }
    }

    /// The old model goes when the lock is free again: its `deinit` may want to come here.
    private static func exchange(_ model: (any PredictiveModel)?, _ name: String) {
        let old = models.withLock { all in
            let old = all[name]
            all[name] = model
            return old
        }
        withExtendedLifetime(old) {}
    }
}
