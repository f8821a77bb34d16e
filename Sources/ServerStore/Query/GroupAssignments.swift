internal import DocumentStore

/// The group, and the city within it, of each server of a list, as numbers: computed once for a
/// list and used by each query for its groups.
struct GroupAssignments: Sendable {
    /// The kind of each group.
    private(set) var kinds: [ServerGroupInfo.Kind] = []
    /// The group of each server.
    private(set) var groups: [Int32] = []
    /// The city of each server, numbered uniquely over all groups; -1 for none.
    private(set) var cities: [Int32] = []
    /// The number of cities, summed over the groups.
    private(set) var cityCount = 0

    /// Compared by bytes, as in filters.
    private struct Kind: Hashable {
        private let name: ExactString
        private let code: ExactString?
        private let number: Int

        init(_ kind: ServerGroupInfo.Kind) {
            switch kind {
            case .country(let code): (name, self.code, number) = (ExactString(code), nil, 0)
            case .gateway(let name): (self.name, code, number) = (ExactString(name), nil, 1)
            case .city(let name, let code):
                (self.name, self.code, number) = (ExactString(name), ExactString(code), 2)
            case .state(let name, let code):
                (self.name, self.code, number) = (ExactString(name), ExactString(code), 3)
            }
        }
    }

    /// Cities of different countries are different, even within one gateway.
    private struct City: Hashable {
        let group: Int32
        let name: ExactString
        let country: ExactString
    }

    init(_ rows: [ServerRow], _ grouping: VPNServerGrouping) {
        var numbers: [Kind: Int32] = [:]
        var cityNumbers: [City: Int32] = [:]
        for row in rows {
            let kind = grouping.kind(of: row.server.logical)
            let key = Kind(kind)
            let group = numbers[key] ?? Int32(kinds.count)
            if group == kinds.count {
                numbers[key] = group
                kinds.append(kind)
            }
            groups.append(group)
            guard let name = row.server.logical.city else {
                cities.append(-1)
                continue
            }
            let cityKey = City(
                group: group, name: ExactString(name),
                country: ExactString(row.server.logical.exitCountryCode))
            let city = cityNumbers[cityKey, default: Int32(cityCount)]
            if city == cityCount {
                cityNumbers[cityKey] = city
                cityCount += 1
            }
            cities.append(city)
        }
    }
}
