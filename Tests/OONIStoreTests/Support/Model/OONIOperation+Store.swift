import DocumentStore
import Foundation

@testable import OONIStore

extension OONIOperation {
    /// Does it; returns what the store says, an error by its code.
    func run(_ store: OONIStore, _ transaction: Transaction) throws -> String {
        do {
            return "\(try answer(store, transaction))"
        } catch let error as OONIStoreError {
            return "\(error.code)"
        }
    }

    private func answer(_ store: OONIStore, _ transaction: Transaction) throws -> Any {
        switch self {
        case .saveDescriptors(let all): try store.descriptors.save(all, in: transaction)
        case .insertDescriptors(let all):
            return try store.descriptors.insert(all, in: transaction)
        case .applyFetched(let fetched):
            return try store.descriptors.apply([fetched], in: transaction)
                .map { NaiveStore.words($0) }
        case .install(let descriptor, let now):
            return try store.descriptors.install(descriptor, at: now, in: transaction)
        case .setAutoUpdate(let isAuto, let link):
            try store.descriptors.setAutoUpdate(isAuto, link, in: transaction)
        case .setRejected(let revision, let link):
            try store.descriptors.setRejectedRevision(revision, link, in: transaction)
        case .deleteDescriptor(let link):
            return sorted(try store.descriptors.delete(link, in: transaction))
        case .registerNetwork(let details):
            return try store.networks.register(details, in: transaction)
        case .deleteUnusedNetworks: return try store.networks.deleteUnused(in: transaction)
        case .registerUrl(let url): return try store.urls.register(url, in: transaction)
        case .refreshArticles(let all):
            return try store.articles.refresh(all, in: transaction)
        default: return try answerOfResults(store, transaction)
        }
        return "done"
    }

    private func answerOfResults(_ store: OONIStore, _ transaction: Transaction) throws -> Any {
        switch self {
        case .insertResult(let descriptor, let time, let origin, let run, let network):
            return try store.results.insert(
                descriptor, at: time, taskOrigin: origin, runID: run, networkID: network,
                in: transaction)
        case .updateResult(let id, let change):
            return try store.results.update(id, in: transaction) { change.apply(&$0) }
        case .markAsViewed(let id): return try store.results.markAsViewed(id, in: transaction)
        case .markAllAsViewed(let filter):
            return try store.results.markAllAsViewed(filter, in: transaction)
        case .markAsDone(let id): return try store.results.markAsDone(id, in: transaction)
        case .markAllAsDone: return try store.results.markAllAsDone(in: transaction)
        case .deleteResults(let ids):
            return sorted(try store.results.delete(ids, in: transaction))
        case .deleteFiltered(let filter):
            return sorted(try store.results.delete(filter, in: transaction))
        case .setExpiration(let id, let timestamp):
            return try store.results.setExpiration(timestamp, of: id, in: transaction)
        case .deleteExpired(let now):
            return sorted(try store.results.deleteExpired(at: now, in: transaction))
        case .retain(let results, let isMonth):
            let now = Date(timeIntervalSince1970: Double(HistoryTime.now) / 1000)
            return sorted(
                try store.results.apply(
                    .init(months: isMonth ? 1 : nil, results: results), at: now,
                    zone: HistoryTime.zone, in: transaction))
        default: return try answerOfMeasurements(store, transaction)
        }
    }

    private func answerOfMeasurements(
        _ store: OONIStore, _ transaction: Transaction
    ) throws -> Any {
        switch self {
        case .insertMeasurement(let test, let result, let url, let time):
            return try store.measurements.insert(
                test, of: result, url: url, at: time, in: transaction)
        case .updateMeasurement(let id, let change):
            return try store.measurements.update(id, in: transaction) { change.apply(&$0) }
        case .noteUpload(let outcome, let id):
            let noted = try store.measurements.noteUpload(outcome, of: id, in: transaction)
            return noted.map { "\($0)" } ?? "removed"
        case .deleteMeasurement(let id):
            return sorted(try store.measurements.delete(id, in: transaction))
        default: return "no such operation"
        }
    }

    private func sorted(_ deleted: OONIStore.Deleted) -> OONIStore.Deleted {
        var deleted = deleted
        deleted.fileNames.sort()
        return deleted
    }
}
