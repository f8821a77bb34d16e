import SampleData

/// The value of a query's parameter.
package enum CustomerArgument: Sendable, Equatable {
    case string(String)
    case number(Int)
    /// An array; JSON text in SQLite.
    case strings([String])
}

extension CustomerQuery {
    /// Draws arguments that are true of at least one customer, as YCSB-JSON takes its values from
    /// stored documents.
    package func arguments(
        _ data: CustomerData, _ random: inout SeededGenerator
    ) -> [CustomerArgument] {
        let number = random.below(data.customers.count)
        let customer = data.customers[number]
        let limit = CustomerArgument.number(10 + random.below(91))
        let offset = CustomerArgument.number(random.below(50))
        switch self {
        case .scan: return [.string(CustomerData.customerID(number)), limit]
        case .page: return [.string(customer.address.zip), limit, offset]
        case .search:
            return [
                .string(customer.address.country), .string(customer.age_group),
                .number(customer.yearOfBirth), limit, .number(0),
            ]
        case .nestscan: return [.string(customer.address.prev_address.zip), limit]
        case .arrayscan: return [.string(random.pick(customer.devices)), limit]
        case .arraydeepscan:
            let visited = random.pick(customer.visited_places)
            return [.string(visited.country), .string(random.pick(visited.cities)), limit]
        case .report: return [.string(customer.address.zip)]
        case .report2:
            // A customer may have no orders.
            let month = random.pick(data.orders).month
            return [.string(customer.address.zip), .string(month)]
        case .compoundarray:
            let age = customer.children.first?.age ?? random.below(18)
            return [.string(random.pick(customer.devices)), .number(age), limit]
        case .literalarray: return [.strings(customer.devices), limit]
        }
    }
}

extension Customer {
    /// The year in the date of birth.
    var yearOfBirth: Int { Int(dob.prefix(4)) ?? 0 }
}
