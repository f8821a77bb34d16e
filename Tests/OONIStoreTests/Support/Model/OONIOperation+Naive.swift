@testable import OONIStore

extension OONIOperation {
    /// Does it on arrays; returns what the store should say.
    func run(_ model: inout NaiveStore) -> String {
        do {
            return "\(try answer(&model))"
        } catch let error as OONIStoreError {
            return "\(error.code)"
        } catch {
            return "\(error)"
        }
    }

    private func answer(_ model: inout NaiveStore) throws -> Any {
        switch self {
        case .saveDescriptors(let all): try model.save(all)
        case .insertDescriptors(let all): return try model.insert(all)
        case .applyFetched(let fetched):
            return try model.apply(fetched).map { NaiveStore.words($0) }
        case .install(let descriptor, let now): return try model.install(descriptor, now)
        case .setAutoUpdate(let isAuto, let link):
            guard !model.revisions(link).isEmpty else {
                throw OONIStoreError(.unknownDescriptor, "")
            }
            for index in model.descriptors.indices where model.descriptors[index].runID == link {
                model.descriptors[index].isAutoUpdated = isAuto
            }
        case .setRejected(let revision, let link):
            guard let highest = model.revisions(link).last,
                let index = model.descriptors.firstIndex(of: highest)
            else { throw OONIStoreError(.unknownDescriptor, "") }
            model.descriptors[index].rejectedRevision = revision
        case .deleteDescriptor(let link):
            let names = ["00104": "websites", "00105": "instant_messaging"]
            let keys = [link, names[link]].compactMap { $0 }
            model.descriptors.removeAll { $0.runID == link }
            return model.delete(model.list(.init(descriptors: Set(keys))).map(\.id))
        case .registerNetwork(let details): return model.register(details)
        case .deleteUnusedNetworks:
            let used = Set(model.results.compactMap(\.networkID))
            let unused = model.networks.map(\.id).filter { !used.contains($0) }
            model.networks.removeAll { unused.contains($0.id) }
            return unused
        case .registerUrl(let url): return model.register(url)
        case .refreshArticles(let all):
            let new = Dictionary(all.map { ($0.url, $0) }) { $1 }
            defer { model.articles = new }
            return new != model.articles
        default: return try answerOfResults(&model)
        }
        return "done"
    }

    private func answerOfResults(_ model: inout NaiveStore) throws -> Any {
        switch self {
        case .insertResult(let descriptor, let time, let origin, let run, let network):
            var result = OONIStore.TestResult(
                id: .init(model.lastResult + 1), descriptor: NaiveStore.named(descriptor),
                startTime: time)
            (result.taskOrigin, result.runID, result.networkID) = (origin, run, network)
            try model.requireReferences(of: result)
            model.lastResult += 1
            model.results.append(result)
            return result
        case .updateResult(let id, let change):
            let index = try model.index(of: id)
            var new = model.results[index]
            change.apply(&new)
            new.descriptor = NaiveStore.named(new.descriptor)
            if new != model.results[index] { try model.requireReferences(of: new) }
            model.results[index] = new
            return model.counted(new)
        case .markAsViewed(let id): return try model.mark(\.isViewed, id)
        case .markAllAsViewed(let filter):
            return try model.list(filter).filter { try model.mark(\.isViewed, $0.id) }.count
        case .markAsDone(let id): return try model.mark(\.isDone, id)
        case .markAllAsDone:
            return try model.list().filter { try model.mark(\.isDone, $0.id) }.count
        case .deleteResults(let ids): return model.delete(ids)
        case .deleteFiltered(let filter): return model.delete(model.list(filter).map(\.id))
        case .setExpiration(let id, let timestamp):
            model.results[try model.index(of: id)].expirationDate = timestamp
            return ()
        case .deleteExpired(let now):
            let gone = model.results.filter { $0.expirationDate.map { $0 <= now } ?? false }
            return model.delete(gone.map(\.id).sorted())
        case .retain(let count, let isMonth):
            let isOld = { isMonth && $0 < HistoryTime.monthAgo }
            let old = model.list().filter { isOld($0.startTime.milliseconds) }.map(\.id)
            let many = model.list().map(\.id).dropFirst(count ?? .max)
            let gone = Set(old).union(many)
            return model.delete(model.list().filter { gone.contains($0.id) && $0.isDone }.map(\.id))
        default: return try answerOfMeasurements(&model)
        }
    }

    private func answerOfMeasurements(_ model: inout NaiveStore) throws -> Any {
        switch self {
        case .insertMeasurement(let test, let result, let url, let time):
            _ = try model.index(of: result)
            model.lastMeasurement += 1
            var measurement = OONIStore.Measurement(
                id: .init(result, model.lastMeasurement), testName: test, startTime: time)
            measurement.url = url
            if let url { model.register(.init(url)) }
            model.measurements.append(measurement)
            return measurement
        case .updateMeasurement(let id, let change):
            let index = try model.index(of: id)
            var new = model.measurements[index]
            change.apply(&new)
            if !["ndt", "dash"].contains(new.testName.rawValue) { new.testKeys = nil }
            if let url = new.url, model.urls[url] == nil { throw OONIStoreError(.unknownUrl, "") }
            model.measurements[index] = new
            return new
        case .noteUpload(let outcome, let id):
            let index = try model.index(of: id)
            // What is uploaded stays so, whatever another attempt has come to.
            var isUpload = false
            if case .uploaded = outcome { isUpload = true }
            if !isUpload, model.measurements[index].isUploaded {
                return "\(model.measurements[index])"
            }
            guard model.note(outcome, index) else { return "removed" }
            return "\(model.measurements[index])"
        case .deleteMeasurement(let id):
            var deleted = OONIStore.Deleted()
            guard let index = try? model.index(of: id) else { return deleted }
            let gone = model.measurements.remove(at: index)
            deleted.measurements = [id]
            deleted.fileNames = ["Measurement/\(id.number)_\(gone.testName).json"]
            let others = model.measurements(of: id.result).map(\.testName)
            if !others.contains(gone.testName) {
                deleted.fileNames.append("Measurement/\(id.result)_\(gone.testName).log")
            }
            deleted.fileNames.sort()
            return deleted
        default: return "no such operation"
        }
    }
}

extension NaiveStore {
    /// Dictionaries have no order, so they are left out.
    static func words(_ descriptor: OONIStore.TestDescriptor) -> String {
        "\(descriptor.key) \(descriptor.name) \(descriptor.nettests as Any) "
            + "\(descriptor.isAutoUpdated) \(descriptor.rejectedRevision as Any) "
            + "\(descriptor.dateInstalled as Any) \(descriptor.dateUpdated as Any)"
    }

    /// Beside a key stands the name of its card, or none.
    static func named(_ reference: OONIStore.DescriptorReference) -> OONIStore.DescriptorReference {
        guard let key = reference.key else { return reference }
        let names = ["00104": "websites", "00105": "instant_messaging"]
        return .init(name: names[key.runID], key: key)
    }

    func index(of id: OONIStore.TestResult.ID) throws -> Int {
        guard let index = results.firstIndex(where: { $0.id == id }) else {
            throw OONIStoreError(.unknownResult, "")
        }
        return index
    }

    func index(of id: OONIStore.Measurement.ID) throws -> Int {
        guard let index = measurements.firstIndex(where: { $0.id == id }) else {
            throw OONIStoreError(.unknownMeasurement, "")
        }
        return index
    }

    func requireReferences(of result: OONIStore.TestResult) throws {
        if let network = result.networkID, !networks.contains(where: { $0.id == network }) {
            throw OONIStoreError(.unknownNetwork, "")
        }
        let isKnown =
            result.descriptor.key.map { key in descriptors.contains { $0.key == key } }
            ?? ["websites", "instant_messaging"].contains(result.descriptor.name)
        guard isKnown else { throw OONIStoreError(.unknownDescriptor, "") }
    }

    mutating func mark(
        _ flag: WritableKeyPath<OONIStore.TestResult, Bool>, _ id: OONIStore.TestResult.ID
    ) throws -> Bool {
        let index = try index(of: id)
        defer { results[index][keyPath: flag] = true }
        return !results[index][keyPath: flag]
    }

    mutating func register(_ details: OONIStore.NetworkDetails) -> OONIStore.Network {
        if let known = networks.first(where: { $0.details == details }) { return known }
        lastNetwork += 1
        networks.append(.init(id: .init(lastNetwork), details: details))
        return .init(id: .init(lastNetwork), details: details)
    }

    /// Returns whether the measurement is still there.
    mutating func note(
        _ outcome: OONIStore.Measurements.UploadOutcome, _ index: Int
    ) -> Bool {
        switch outcome {
        case .uploaded(let uid, let verification):
            measurements[index].isUploaded = true
            measurements[index].isUploadFailed = false
            measurements[index].uploadFailureMessage = nil
            if let uid { measurements[index].uid = uid }
            if let verification { measurements[index].verificationStatus = verification }
        case .failed(let message):
            measurements[index].isUploadFailed = true
            measurements[index].uploadFailureMessage = message
        case .reportUnreadable(let message):
            measurements[index].isDone = false
            measurements[index].isFailed = true
            measurements[index].failureMessage = message
        case .reportMissing:
            measurements.remove(at: index)
            return false
        }
        return true
    }
}
