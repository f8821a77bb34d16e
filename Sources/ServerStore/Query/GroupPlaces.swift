/// To which group each server of a list belongs, and to which city within it, by numbers: found out
/// once for a list, and used by each question for its groups.
struct GroupPlaces: Sendable {
    /// What each group is of.
    private(set) var kinds: [ServerGroupInfo.Kind] = []
    /// The group of each server.
    private(set) var groups: [Int32] = []
    /// The city of each server, by a number that no city of another group has; -1 for none.
    private(set) var cities: [Int32] = []
    /// How many cities there are, those of each group counted.
    private(set) var cityCount = 0

    private struct City: Hashable {
        var group: Int32
        var name: String
    }

    init(_ rows: [ServerRow], _ grouping: VPNServerGrouping) {
        var numbers: [ServerGroupInfo.Kind: Int32] = [:]
        var cityNumbers: [City: Int32] = [:]
        for row in rows {
            let kind = grouping.kind(of: row.server.logical)
            let group = numbers[kind] ?? Int32(kinds.count)
            if group == kinds.count {
                numbers[kind] = group
                kinds.append(kind)
            }
            groups.append(group)
            guard let name = row.server.logical.city else {
                cities.append(-1)
                continue
            }
            let city = cityNumbers[City(group: group, name: name), default: Int32(cityCount)]
            if city == cityCount {
                cityNumbers[City(group: group, name: name)] = city
                cityCount += 1
            }
            cities.append(city)
        }
    }
}
