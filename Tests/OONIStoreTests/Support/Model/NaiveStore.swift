@testable import OONIStore

/// What a store holds, as plain arrays. Every query of it is done in the simplest way, and every
/// change as the documentation of the store says, without its code.
struct NaiveStore {
    var descriptors: [OONIStore.TestDescriptor] = []
    var results: [OONIStore.TestResult] = []
    var measurements: [OONIStore.Measurement] = []
    var networks: [OONIStore.Network] = []
    var urls: [String: OONIStore.Url] = [:]
    var articles: [String: OONIStore.Article] = [:]
    var (lastResult, lastMeasurement, lastNetwork): (Int64, Int64, Int64) = (0, 0, 0)
}

// Results and measurements.
extension NaiveStore {
    func measurements(of result: OONIStore.TestResult.ID) -> [OONIStore.Measurement] {
        measurements.filter { $0.id.result == result }
    }

    func counted(_ result: OONIStore.TestResult) -> OONIStore.TestResult {
        let all = measurements(of: result.id)
        let done = all.filter(\.isDone)
        let failed = done.filter(\.isFailed)
        let anomalies = done.filter { $0.isAnomaly && !$0.isFailed }
        let notUploaded = done.filter { !$0.isUploaded }
        var result = result
        result.counts = .init()
        result.counts.measurements = all.count
        result.counts.done = done.count
        result.counts.failed = failed.count
        result.counts.anomalies = anomalies.count
        result.counts.ok = done.count - failed.count - anomalies.count
        result.counts.notUploaded = notUploaded.count
        result.counts.uploadFailed = notUploaded.filter(\.isUploadFailed).count
        return result
    }

    func matches(_ result: OONIStore.TestResult, _ filter: OONIStore.ResultFilter) -> Bool {
        if let wanted = filter.descriptors {
            let names = [result.descriptor.name, result.descriptor.key?.runID].compactMap { $0 }
            if wanted.isDisjoint(with: names) { return false }
        }
        if let wanted = filter.networks {
            guard let network = result.networkID, wanted.contains(network) else { return false }
        }
        if let origin = filter.taskOrigin, origin != result.taskOrigin { return false }
        if let range = filter.startTime, !range.contains(result.startTime) { return false }
        return true
    }

    /// The newest first.
    func list(_ filter: OONIStore.ResultFilter = .all) -> [OONIStore.TestResult] {
        results.filter { matches($0, filter) }
            .sorted { ($0.startTime, $0.id) > ($1.startTime, $1.id) }
            .map(counted)
    }

    var lastRun: [OONIStore.TestResult] {
        guard let run = list().first(where: { $0.runID != nil })?.runID else {
            return Array(list().prefix(1))
        }
        return list().filter { $0.runID == run }
    }

    func lastDone(_ key: String) -> OONIStore.TestResult? {
        list(.init(descriptors: [key])).first(where: \.isDone)
    }

    func totals(_ filter: OONIStore.ResultFilter) -> OONIStore.ResultTotals {
        let list = list(filter)
        return OONIStore.ResultTotals(
            results: list.count, networks: Set(list.compactMap(\.networkID)).count,
            dataUsageUpKiB: list.map(\.dataUsageUpKiB).reduce(0, +),
            dataUsageDownKiB: list.map(\.dataUsageDownKiB).reduce(0, +))
    }

    var notUploaded: [OONIStore.Measurement] {
        measurements.filter { $0.isDone && !$0.isUploaded }
            .sorted { ($0.startTime, $0.id.number) < ($1.startTime, $1.id.number) }
    }

    func doneCount(from timestamp: Int64) -> Int {
        measurements.filter { $0.isDone && $0.startTime.milliseconds >= timestamp }.count
    }

    func testKeys(
        of results: [OONIStore.TestResult]
    ) -> [OONIStore.Measurement.ID: OONIStore.TestKeys] {
        let ids = Set(results.map(\.id))
        return measurements.filter { ids.contains($0.id.result) }
            .reduce(into: [:]) { $0[$1.id] = $1.testKeys }
    }

    mutating func delete(_ ids: [OONIStore.TestResult.ID]) -> OONIStore.Deleted {
        var deleted = OONIStore.Deleted()
        var before: Set<OONIStore.Network.ID> = []
        for id in ids {
            guard let index = results.firstIndex(where: { $0.id == id }) else { continue }
            if let network = results.remove(at: index).networkID { before.insert(network) }
            let gone = measurements(of: id).sorted { $0.id < $1.id }
            measurements.removeAll { $0.id.result == id }
            deleted.results.append(id)
            deleted.measurements += gone.map(\.id)
            deleted.fileNames += gone.map { "Measurement/\($0.id.number)_\($0.testName).json" }
            deleted.fileNames += Set(gone.map { "Measurement/\(id)_\($0.testName).log" })
        }
        deleted.networks = before.subtracting(results.compactMap(\.networkID)).sorted()
        networks.removeAll { deleted.networks.contains($0.id) }
        deleted.fileNames.sort()
        return deleted
    }
}

// Descriptors.
extension NaiveStore {
    func revisions(_ runID: String) -> [OONIStore.TestDescriptor] {
        descriptors.filter { $0.runID == runID }.sorted { $0.revision < $1.revision }
    }

    var allDescriptors: [OONIStore.TestDescriptor] {
        descriptors.sorted { ($0.runID + "/", $0.revision) < ($1.runID + "/", $1.revision) }
    }

    var latestDescriptors: [OONIStore.TestDescriptor] {
        allDescriptors.filter { $0 == revisions($0.runID).last }
    }

    func sortedDescriptors(at now: Int64) -> [OONIStore.TestDescriptor] {
        func isExpired(_ descriptor: OONIStore.TestDescriptor) -> Bool {
            (descriptor.expirationDate?.milliseconds ?? .max) < now
        }
        func isCard(_ descriptor: OONIStore.TestDescriptor) -> Bool {
            ["00104", "00105", "00106", "00107", "00108"].contains(descriptor.runID)
        }
        return latestDescriptors.sorted { one, other in
            if isCard(one) != isCard(other) { return isCard(other) }
            if isExpired(one) != isExpired(other) { return isExpired(other) }
            let (first, second) = (
                one.dateInstalled?.milliseconds, other.dateInstalled?.milliseconds
            )
            if first != second { return (first ?? .min) > (second ?? .min) }
            return one.runID < other.runID
        }
    }

    func shown(_ result: OONIStore.TestResult) -> OONIStore.ShownDescriptor {
        if let key = result.descriptor.key,
            let known = descriptors.first(where: {
                $0.runID == key.runID && $0.revision == key.revision
            })
        {
            return .known(known)
        }
        let cards = ["websites": "00104", "instant_messaging": "00105"]
        if let card = cards[result.descriptor.name ?? ""], let known = revisions(card).last {
            return .known(known)
        }
        return .placeholder(result.descriptor)
    }

    private func require(_ new: [OONIStore.TestDescriptor]) throws {
        guard new.allSatisfy({ !$0.runID.isEmpty && $0.revision >= 0 }) else {
            throw OONIStoreError(.invalidDescriptor, "")
        }
    }

    mutating func save(_ new: [OONIStore.TestDescriptor]) throws {
        try require(new)
        for descriptor in new {
            for test in descriptor.nettests ?? [] where test.testName.rawValue == "web_connectivity"
            {
                for input in test.inputs { register(.init(input)) }
            }
            descriptors.removeAll {
                $0.runID == descriptor.runID && $0.revision == descriptor.revision
            }
            descriptors.append(descriptor)
        }
        for index in descriptors.indices {
            let descriptor = descriptors[index]
            let isHighest = !descriptors.contains {
                $0.runID == descriptor.runID && $0.revision > descriptor.revision
            }
            if !isHighest { descriptors[index].nettests = nil }
        }
    }

    mutating func insert(_ all: [OONIStore.TestDescriptor]) throws -> [OONIStore.TestDescriptor.Key]
    {
        var new: [OONIStore.TestDescriptor] = []
        for descriptor in all
        where !(descriptors + new).contains(where: {
            $0.runID == descriptor.runID && $0.revision == descriptor.revision
        }) {
            new.append(descriptor)
        }
        try save(new)
        return new.map(\.key)
    }

    /// What the user is to be asked about; the rest of what is new is saved.
    mutating func apply(_ fetched: OONIStore.TestDescriptor) throws -> [OONIStore.TestDescriptor] {
        guard let known = revisions(fetched.runID).last else { return [fetched] }
        guard let updated = fetched.dateUpdated?.milliseconds,
            known.dateUpdated.map({ $0.milliseconds < updated }) ?? true,
            fetched.revision >= known.revision
        else { return [] }
        var update = fetched
        update.isAutoUpdated = known.isAutoUpdated
        update.dateInstalled = known.dateInstalled
        update.rejectedRevision = known.rejectedRevision
        if fetched.revision > known.revision {
            if fetched.revision == known.rejectedRevision { return [] }
            if !known.isAutoUpdated { return [update] }
        }
        try save([update])
        return []
    }

    mutating func install(
        _ descriptor: OONIStore.TestDescriptor, _ now: OONIStore.Instant
    ) throws -> Bool {
        try require([descriptor])
        var installed = descriptor
        installed.dateInstalled = now
        if let known = revisions(descriptor.runID).last {
            if known.revision > descriptor.revision { return false }
            installed.isAutoUpdated = known.isAutoUpdated
            installed.dateInstalled = known.dateInstalled
            installed.rejectedRevision = known.rejectedRevision
        }
        try save([installed])
        return true
    }

    @discardableResult
    mutating func register(_ url: OONIStore.Url) -> OONIStore.Url {
        var merged = urls[url.url] ?? url
        if url.category.rawValue != "MISC" { merged.category = url.category }
        if url.countryCode != nil { merged.countryCode = url.countryCode }
        urls[url.url] = merged
        return merged
    }
}
