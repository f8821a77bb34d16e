internal import DataFileCore

// What each line must be, before it is written.
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
                "revision \(descriptor.revision) of \(descriptor.runID) stands behind "
                    + "revision \(known.highest)")
            try require(
                !known.hasNettests,
                "a revision of \(descriptor.runID) before \(descriptor.revision) has nettests")
        }
        revisions[descriptor.runID] = (descriptor.revision, hasNettests)
        try OONIStore.Descriptors(store: store).put(descriptor, in: transaction)
    }

    mutating func add(_ network: OONIStore.Network) throws {
        let id = try OONIStore.Network.ID.checked(network.id.number)
        try require(networks.insert(id).inserted, "a line before it is network \(id) too")
        try require(
            networkDetails.insert(network.details.exact).inserted,
            "a line before it is the same network with another number")
        try OONIStore.Networks(store: store).put(network, in: transaction)
    }

    mutating func add(_ url: OONIStore.Url) throws {
        try require(!url.url.isEmpty, "it has no address")
        try require(
            urls.insert(ExactText(url.url)).inserted, "a line before it is website \(url.url) too")
        try store.urls.put(url, OONIStore.Urls.key(url.url), in: transaction)
    }

    mutating func add(_ result: OONIStore.Result) throws {
        let id = try OONIStore.Result.ID.checked(result.id.number)
        try require(results[id] == nil, "a line before it is result \(id) too")
        if let network = result.networkID {
            try require(networks.contains(network), "no line before it is network \(network)")
        }
        results[id] = (number, result)
        try OONIStore.Results(store: store).put(result, in: transaction)
        if let moment = result.expirationDate {
            try store.results.setExpiration(moment, of: id.key, in: transaction)
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
            try require(urls.contains(ExactText(url)), "no line before it is website \(url)")
        }
        try require(
            measurement.testKeys == nil || measurement.testName.isPerformance,
            "test_keys are those of tests of performance only")
        counts[id.result, default: OONIStore.Counts()].add(measurement)
        try OONIStore.Measurements(store: store).put(measurement, in: transaction)
        if let moment = owner.expirationDate {
            try store.measurements.setExpiration(moment, of: id.key, in: transaction)
        }
    }

    mutating func add(_ article: OONIStore.Article) throws {
        try require(!article.url.isEmpty, "it has no address")
        try require(
            articles.insert(ExactText(article.url)).inserted,
            "a line before it is article \(article.url) too")
        try store.articles.put(article, OONIStore.Urls.key(article.url), in: transaction)
    }
}
