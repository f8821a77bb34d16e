/// The queries over values in memory: what each database must return.
package struct CustomerModel: Sendable {
    private let data: CustomerData
    /// The orders by ID.
    private let orders: [String: Order]

    /// Creates a model of data.
    package init(_ data: CustomerData) {
        self.data = data
        orders = Dictionary(
            uniqueKeysWithValues: data.orders.enumerated().map { (CustomerData.orderID($0), $1) })
    }

    /// The rows of a query; those of reports have no order.
    package func rows(_ query: CustomerQuery, _ arguments: [CustomerArgument]) -> [[String]] {
        let (text, number) = (arguments.text, arguments.number)
        switch query {
        case .scan: return list(number(1)) { id, _ in id >= text(0) }
        case .page: return list(number(1), number(2)) { $1.address.zip == text(0) }
        case .search:
            return list(number(3), number(4)) {
                $1.address.country == text(0) && $1.age_group == text(1)
                    && $1.yearOfBirth == number(2)
            }
        case .nestscan: return list(number(1)) { $1.address.prev_address.zip == text(0) }
        case .arrayscan: return list(number(1)) { $1.devices.contains(text(0)) }
        case .arraydeepscan:
            return list(number(2)) {
                $1.visited_places.contains { place in
                    place.country == text(0) && place.cities.contains(text(1))
                }
            }
        case .report:
            return purchases(text(0)).map {
                [$0.id, "\($0.order.sale_price)", $0.customer.last_name]
            }
        case .report2:
            let sales = purchases(text(0)).map(\.order).filter { $0.month == text(1) }
            let total = sales.reduce(0) { $0 + $1.sale_price }
            return sales.isEmpty ? [] : [[text(1), text(0), "\(total)"]]
        case .compoundarray:
            return list(number(2)) {
                $1.devices.contains(text(0)) && $1.children.contains { $0.age == number(1) }
            }
        case .literalarray:
            guard case .strings(let devices) = arguments[0] else { return [] }
            return list(number(1)) { $1.devices == devices }
        }
    }

    /// The number of rows, and the sum of their columns: numbers, and the lengths of strings.
    package func sum(
        _ query: CustomerQuery, _ arguments: [CustomerArgument]
    ) -> CustomerSum {
        var sum = CustomerSum()
        for row in rows(query, arguments) {
            sum.rows += 1
            for column in row { sum.sum += Int(column) ?? column.utf8.count }
        }
        return sum
    }

    private func list(
        _ limit: Int, _ offset: Int = 0, _ isIncluded: (String, Customer) -> Bool
    ) -> [[String]] {
        var (rows, skipped): ([[String]], Int) = ([], 0)
        for (number, customer) in data.customers.enumerated() where rows.count < limit {
            let id = CustomerData.customerID(number)
            guard isIncluded(id, customer) else { continue }
            if skipped < offset {
                skipped += 1
            } else {
                rows.append([id, customer.last_name, customer.email])
            }
        }
        return rows
    }

    private func purchases(_ zip: String) -> [(id: String, order: Order, customer: Customer)] {
        data.customers.filter { $0.address.zip == zip }.flatMap { customer in
            customer.order_list.compactMap { id in orders[id].map { (id, $0, customer) } }
        }
    }
}

/// A short description of a result, which can be computed while rows are read.
package struct CustomerSum: Equatable, Sendable {
    /// The number of rows.
    package var rows = 0
    /// The sum of numbers, and of the lengths of strings in UTF-8.
    package var sum = 0

    /// Creates the description of no rows.
    package init() {}
}

extension [CustomerArgument] {
    fileprivate func text(_ index: Int) -> String {
        if case .string(let string) = self[index] { string } else { "" }
    }

    fileprivate func number(_ index: Int) -> Int {
        if case .number(let number) = self[index] { number } else { 0 }
    }
}
