internal import DocumentStore

// Checks of each line before it is written.
extension LinesImporter {
    private func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
        guard condition else { throw LineProblem(reason()) }
    }

    mutating func add(_ descriptor: OONIStore.TestDescriptor) throws {
        try descriptor.requireKey()
        let hasNettests = descriptor.nettests != nil
        if let known = revisions[descriptor.runID] {
            try require(
                descriptor.revision > known.highest,
                "revision \(descriptor.revision) of \(descriptor.runID) follows "
                    + "revision \(known.highest)")
            try require(
                !known.hasNettests,
                "a revision of \(descriptor.runID) before \(descriptor.revision) has nettests")
        }
        revisions[descriptor.runID] = (descriptor.revision, hasNettests)
        try put(descriptor.key.documentID, .descriptors)
    }

    mutating func add(_ network: OONIStore.Network) throws {
        let id = try OONIStore.Network.ID.checked(network.id.number)
        try require(networks.insert(id).inserted, "a line before it is network \(id) too")
        try require(
            networkDetails.insert(network.details.exact).inserted,
            "a line before it is the same network with another number")
        try put(id.key, .networks)
    }

    mutating func add(_ url: OONIStore.Url) throws {
        try require(
            urls.insert(ExactString(url.url)).inserted, "a line before it is website \(url.url) too"
        )
        try put(OONIStore.Urls.key(url.url), .urls)
    }

    mutating func add(_ result: OONIStore.TestResult) throws {
        let id = try OONIStore.TestResult.ID.checked(result.id.number)
        try require(results[id] == nil, "a line before it is result \(id) too")
        if let network = result.networkID {
            try require(networks.contains(network), "no line before it is network \(network)")
        }
        results[id] = (number, result)
        try put(id.key, .results)
        if let timestamp = result.expirationDate {
            try store.results.setExpiration(timestamp, of: id.key, in: transaction)
        }
    }

    mutating func add(_ measurement: OONIStore.Measurement) throws {
        let id = try OONIStore.Measurement.ID.checked(
            measurement.id.result, measurement.id.number)
        guard let owner = results[id.result]?.result else {
            throw LineProblem("no line before it is result \(id.result)")
        }
        try require(
            measurements.insert(id.number).inserted,
            "a line before it is measurement \(id.number) too")
        if let url = measurement.url {
            try require(urls.contains(ExactString(url)), "no line before it is website \(url)")
        }
        try require(
            measurement.testKeys == nil || measurement.testName.isPerformance,
            "test_keys are those of tests of performance only")
        counts[id.result, default: OONIStore.Counts()].add(measurement)
        try put(id.key, .measurements)
        if let timestamp = owner.expirationDate {
            try store.measurements.setExpiration(timestamp, of: id.key, in: transaction)
        }
    }

    mutating func add(_ article: OONIStore.Article) throws {
        try require(
            articles.insert(ExactString(article.url)).inserted,
            "a line before it is article \(article.url) too")
        try put(OONIStore.Urls.key(article.url), .articles)
    }

    /// Writes all properties of the line unchanged, including those that this version does not
    /// know.
    private func put(_ key: String, _ collection: LinesCollection) throws {
        guard let properties = line?.dictionary else { return }
        _ = try collection.collection(of: store).save(key, in: transaction) { encoder in
            encoder.beginDictionary()
            for (name, value) in properties where name != "collection" {
                try encoder.writeKey(name)
                try encoder.write(value)
            }
            try encoder.endDictionary()
        }
    }
}
