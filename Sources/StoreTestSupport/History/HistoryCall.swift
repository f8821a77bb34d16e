internal import DocumentStore

/// An operation with its resolved arguments, which the model and the driver both execute.
enum HistoryCall {
    case save(HistoryUpdate, String)
    case addFlags(DocumentFlags, String, Int64, String)
    case purge(String, HistoryVersion?, String)
    case getBySequence(Int64, HistoryLevel, String)
    /// An operation without arguments to resolve.
    case plain(HistoryOperation)
}

extension HistoryCall {
    func result(of model: inout HistoryModel) -> HistoryResult {
        switch self {
        case .save(let update, let store): .saved(model.save(update, in: store))
        case .addFlags(let flags, let key, let sequence, let store):
            .changed(model.addFlags(flags, key: key, sequence: sequence, in: store))
        case .purge(let key, let version, let store):
            .changed(model.purge(key, expecting: version, in: store))
        case .getBySequence(let sequence, let level, let store):
            .records([model.get(sequence: sequence, level, in: store)])
        case .plain(let operation): operation.result(of: &model)
        }
    }

    func result(of driver: any HistoryDriver) throws -> HistoryResult {
        switch self {
        case .save(let update, let store): .saved(try driver.save(update, in: store))
        case .addFlags(let flags, let key, let sequence, let store):
            .changed(try driver.addFlags(flags, key: key, sequence: sequence, in: store))
        case .purge(let key, let version, let store):
            .changed(try driver.purge(key, expecting: version, in: store))
        case .getBySequence(let sequence, let level, let store):
            .records([try driver.get(sequence: sequence, level, in: store)])
        case .plain(let operation): try operation.result(of: driver)
        }
    }
}

extension HistoryOperation {
    fileprivate func result(of model: inout HistoryModel) -> HistoryResult {
        switch self {
        case .setExpiration(let key, let store, let time):
            .changed(model.setExpiration(time, key: key, in: store))
        case .purgeExpired(let store, let time):
            .number(Int64(model.purgeExpired(at: time, in: store)))
        case .move(let key, let store, let target):
            .moved(model.move(key, from: store, to: target))
        case .putRaw(let key, let store, let content):
            put(key, content, in: store, of: &model)
        case .get(let key, let store, let level): .records([model.get(key, level, in: store)])
        case .getMany(let keys, let store, let level):
            .records(keys.map { model.get($0, level, in: store) })
        case .getRaw(let key, let store): .raw(model.getRaw(key, in: store))
        case .enumerate(let store, let query): .records(model.enumerate(query, in: store))
        case .count(let store): .count(model.count(in: store))
        case .lastSequence(let store): .number(model.stores[store]?.lastSequence ?? 0)
        case .purgeCount(let store): .number(model.stores[store]?.purgeCount ?? 0)
        case .nextExpiration(let store): .number(model.nextExpiration(in: store))
        case .save, .saveFlags, .addFlags, .purge, .getBySequence: .done
        }
    }

    private func put(
        _ key: String, _ content: HistoryContent, in store: String, of model: inout HistoryModel
    ) -> HistoryResult {
        model.putRaw(key, content, in: store)
        return .done
    }

    fileprivate func result(of driver: any HistoryDriver) throws -> HistoryResult {
        switch self {
        case .setExpiration(let key, let store, let time):
            return .changed(try driver.setExpiration(time, key: key, in: store))
        case .purgeExpired(let store, let time):
            return .number(Int64(try driver.purgeExpired(at: time, in: store)))
        case .move(let key, let store, let target):
            return .moved(try driver.move(key, from: store, to: target))
        case .putRaw(let key, let store, let content):
            try driver.putRaw(key, content, in: store)
            return .done
        case .get(let key, let store, let level):
            return .records([try driver.get(key, level, in: store)])
        case .getMany(let keys, let store, let level):
            return .records(try driver.get(many: keys, level, in: store))
        case .getRaw(let key, let store): return .raw(try driver.getRaw(key, in: store))
        case .enumerate(let store, let query):
            let records = try driver.enumerate(query, in: store)
            return .records(query.order == .unsorted ? records.sortedByKey : records)
        case .count(let store): return .count(try driver.count(in: store))
        case .lastSequence(let store): return .number(try driver.lastSequence(in: store))
        case .purgeCount(let store): return .number(try driver.purgeCount(in: store))
        case .nextExpiration(let store): return .number(try driver.nextExpiration(in: store))
        case .save, .saveFlags, .addFlags, .purge, .getBySequence: return .done
        }
    }

    /// The name of the operation, for a tally.
    var name: String {
        switch self {
        case .save(_, _, _, let flags, _): flags.contains(.deleted) ? "delete" : "save"
        case .saveFlags: "save flags"
        case .addFlags: "add flags"
        case .purge: "purge"
        case .setExpiration: "set expiration"
        case .purgeExpired: "purge expired"
        case .move: "move"
        case .putRaw: "put raw"
        case .get: "get"
        case .getBySequence: "get by sequence"
        case .getMany: "get many"
        case .getRaw: "get raw"
        case .enumerate(_, let query): "enumerate \(query.order.rawValue)"
        case .count: "count"
        case .lastSequence: "last sequence"
        case .purgeCount: "purge count"
        case .nextExpiration: "next expiration"
        }
    }
}

extension [HistoryRecord] {
    fileprivate var sortedByKey: [HistoryRecord] {
        sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }
}

/// The result of an operation, comparable and printable.
enum HistoryResult: Equatable {
    case done
    case saved(HistorySaved)
    case moved(HistoryMoved)
    case changed(Bool)
    case number(Int64?)
    case count(HistoryCount)
    case raw(HistoryContent?)
    case records([HistoryRecord?])

    /// The kind of the result, for a tally, such as `saved` or `conflict`.
    var kind: String {
        switch self {
        case .done: "done"
        case .saved(.saved(_, let subsequence)):
            subsequence == 0 ? "saved" : "saved with its sequence kept"
        case .saved(.conflict), .moved(.conflict): "conflict"
        case .moved(.moved): "moved"
        case .moved(.missing): "missing"
        case .changed(let changed): changed ? "changed" : "unchanged"
        case .number(let number): number.map { $0 == 0 ? "zero" : "a number" } ?? "none"
        case .count: "counted"
        case .raw(let content): content == nil ? "missing" : "found"
        case .records(let records): records.contains { $0 != nil } ? "found" : "missing"
        }
    }
}

extension HistoryResult: CustomStringConvertible {
    var description: String {
        switch self {
        case .done: "done"
        case .saved(.saved(let sequence, let subsequence)): "saved as \(sequence).\(subsequence)"
        case .saved(.conflict), .moved(.conflict): "a conflict"
        case .moved(.moved(let sequence)): "moved as \(sequence)"
        case .moved(.missing): "nothing to move"
        case .changed(let changed): changed ? "changed" : "nothing changed"
        case .number(let number): number.map { "\($0)" } ?? "none"
        case .count(let count): "\(count.live) live, \(count.deleted) deleted"
        case .raw(let content): content.map { "\($0)" } ?? "no record"
        case .records(let records):
            records.isEmpty
                ? "no records"
                : records.map { $0.map { "\($0)" } ?? "no record" }.joined(separator: "\n    ")
        }
    }
}
