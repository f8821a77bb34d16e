internal import DocumentStore

extension OONIStore {
    /// An inconsistency in a store, as found by ``OONIStore/verify(in:)``.
    ///
    /// A store that only this library writes has none. They come from a damaged file, or from
    /// another program that writes the collections.
    public struct Finding: Hashable, Sendable, CustomStringConvertible {
        /// One line: what is wrong, and where.
        public let description: String
    }
}

/// One pass over the whole store that records inconsistencies.
struct Verification {
    let collections: Collections
    let snapshot: Snapshot
    private(set) var findings: [OONIStore.Finding] = []

    init(collections: Collections, snapshot: Snapshot) {
        self.collections = collections
        self.snapshot = snapshot
    }

    mutating func lookAtEverything() throws {
        let urls = try readable(collections.urls) { OONIStore.Urls.key($0.url) }
        let networks = try readable(collections.networks, \.id.key)
        _ = try readable(collections.articles) { OONIStore.Urls.key($0.url) }
        let measurements = try readable(collections.measurements, \.id.key)
        let results = try readable(collections.results, \.id.key)
        lookForUrls(of: measurements, urls)
        compareCounts(of: results, measurements)
        lookForNetworks(of: results, networks)
        lookForOldNettests(try readable(collections.descriptors, \.key.documentID))
        try compareNumber(.results, results.map(\.id.number))
        try compareNumber(.measurements, measurements.map(\.id.number))
        try compareNumber(.networks, networks.map(\.id.number))
    }

    private mutating func note(_ text: String) {
        findings.append(OONIStore.Finding(description: text))
    }

    /// The values that can be read and have the correct key; others become findings.
    private mutating func readable<Value>(
        _ entities: Entities<Value>, _ name: (Value) -> String
    ) throws -> [Value] {
        var values: [Value] = []
        let collection = entities.collection.name
        try entities.forEach(in: snapshot) { key, value in
            switch value {
            case .success(let value) where name(value) == key: values.append(value)
            case .success(let value):
                note("\(collection) has \"\(name(value))\" under the name \"\(key)\"")
            case .failure(let error):
                note("\(collection) has \"\(key)\", which cannot be read: \(error)")
            }
        }
        return values
    }

    private mutating func lookForUrls(
        of measurements: [OONIStore.Measurement], _ urls: [OONIStore.Url]
    ) {
        let known = Set(urls.map { ExactString($0.url) })
        for measurement in measurements {
            guard let url = measurement.url, !known.contains(ExactString(url)) else { continue }
            note("measurement \(measurement.id.number) refers to a website that does not exist")
        }
    }

    private mutating func compareCounts(
        of results: [OONIStore.TestResult], _ measurements: [OONIStore.Measurement]
    ) {
        var counts = OONIStore.Counts.ByResult()
        for measurement in measurements { counts.add(measurement) }
        for result in results where result.counts != counts.take(result.id) {
            note("the counts of result \(result.id) are not those of its measurements")
        }
        for id in counts.left { note("result \(id) does not exist, but its measurements do") }
    }

    private mutating func lookForNetworks(
        of results: [OONIStore.TestResult], _ networks: [OONIStore.Network]
    ) {
        let known = Set(networks.map(\.id))
        for result in results {
            guard let network = result.networkID, !known.contains(network) else { continue }
            note("result \(result.id) refers to a network that does not exist")
        }
    }

    private mutating func lookForOldNettests(_ descriptors: [OONIStore.TestDescriptor]) {
        for (old, newer) in zip(descriptors, descriptors.dropFirst())
        where old.runID == newer.runID && old.nettests != nil {
            note("descriptor \(old.runID) has nettests in its old revision \(old.revision)")
        }
    }

    /// Assigning a number again would overwrite its document.
    private mutating func compareNumber(_ kind: Identifiers.Kind, _ numbers: [Int64]) throws {
        let last = try collections.identifiers.last(kind, in: snapshot)
        guard let highest = numbers.max(), highest > last else { return }
        note("numbers of \(kind.rawValue) continue after \(last), but there is a \(highest)")
    }
}
