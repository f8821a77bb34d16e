internal import DocumentStore

extension ProbeImporter {
    mutating func importNetworks() throws {
        let collection = OONIStore.Networks(store: store)
        var known = Dictionary(
            try collection.all(in: transaction).map { ($0.details.exact, $0.id) },
            uniquingKeysWith: { first, _ in first })
        var numbers = try numbers(.networks, .networks)
        try forEachNumber(ProbeNetwork.self, .id) { importer, number, row in
            let details = OONIStore.NetworkDetails(
                name: row.text(.name), asn: row.text(.asn), countryCode: row.text(.countryCode),
                type: row.text(.type).map { .init(rawValue: $0) })
            if let same = known[details.exact] {
                importer.networks[number] = same
                return
            }
            let network = OONIStore.Network(
                id: try .checked(numbers.number(for: number)), details: details)
            try collection.put(network, in: importer.transaction)
            importer.networks[number] = network.id
            known[details.exact] = network.id
        }
        try store.identifiers.use(numbers.highest, .networks, in: transaction)
    }

    /// Websites are merged before any is written: many rows may have the same address.
    mutating func importUrls() throws {
        let entities = store.urls
        let stored = Dictionary(
            try entities.all(in: transaction).map { (ExactString($0.url), $0) },
            uniquingKeysWith: { first, _ in first })
        var merged: [ExactString: OONIStore.Url] = [:]
        var order: [ExactString] = []
        try forEachNumber(ProbeUrl.self, .id) { importer, number, row in
            guard let address = row.word(.url) else {
                return importer.leaveOut(.urls, "\(number)", "it has no address")
            }
            let url = OONIStore.Url(
                address,
                category: row.word(.category).map { .init(rawValue: $0) } ?? .miscellaneous,
                countryCode: row.text(.countryCode))
            let exact = ExactString(address)
            if let known = merged[exact] ?? stored[exact] {
                merged[exact] = known.merged(with: url)
            } else {
                merged[exact] = url
            }
            if stored[exact] == nil || merged[exact] != stored[exact] { order.append(exact) }
            importer.urls[number] = address
        }
        for address in order {
            guard let url = merged.removeValue(forKey: address) else { continue }
            try entities.put(url, OONIStore.Urls.key(url.url), in: transaction)
        }
    }
}
