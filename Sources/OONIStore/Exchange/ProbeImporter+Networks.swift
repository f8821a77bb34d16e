internal import DataFileCore

extension ProbeImporter {
    mutating func importNetworks() throws {
        let collection = OONIStore.Networks(store: store)
        var known = Dictionary(
            try collection.all(in: transaction).map { ($0.details, $0.id) },
            uniquingKeysWith: { first, _ in first })
        var numbers = try numbers(.networks, .networks)
        try forEachNumber(ProbeNetwork.self, .id) { importer, number, row in
            let details = OONIStore.NetworkDetails(
                name: row.text(.name), asn: row.text(.asn), countryCode: row.text(.countryCode),
                type: row.text(.type).map { .init(rawValue: $0) })
            if let same = known[details] {
                importer.networks[number] = same
                return
            }
            let network = OONIStore.Network(
                id: try .checked(numbers.number(for: number)), details: details)
            try collection.put(network, in: importer.transaction)
            importer.networks[number] = network.id
            known[details] = network.id
        }
        try store.identifiers.use(numbers.highest, .networks, in: transaction)
    }

    /// Websites are merged before any is written: many rows may have the same address.
    mutating func importUrls() throws {
        let entities = store.urls
        let stored = Dictionary(
            try entities.all(in: transaction).map { ($0.url, $0) },
            uniquingKeysWith: { first, _ in first })
        var merged: [String: OONIStore.Url] = [:]
        var order: [String] = []
        try forEachNumber(ProbeUrl.self, .id) { importer, number, row in
            guard let address = row.word(.url) else {
                return importer.leaveOut(.urls, "\(number)", "it has no address")
            }
            let url = OONIStore.Url(
                address,
                category: row.word(.category).map { .init(rawValue: $0) } ?? .miscellaneous,
                countryCode: row.text(.countryCode))
            if let known = merged[address] ?? stored[address] {
                merged[address] = known.merged(with: url)
            } else {
                merged[address] = url
            }
            if stored[address] == nil || merged[address] != stored[address] {
                order.append(address)
            }
            importer.urls[number] = address
        }
        for address in order {
            guard let url = merged.removeValue(forKey: address) else { continue }
            try entities.put(url, OONIStore.Urls.key(address), in: transaction)
        }
    }
}
