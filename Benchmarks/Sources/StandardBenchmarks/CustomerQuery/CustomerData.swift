import Foundation
import SampleData

/// The customers and orders of the query workloads, as values and as JSON text. The same for each
/// number of customers and seed.
package struct CustomerData: Sendable {
    /// The customers; the ID is that of the number.
    package let customers: [Customer]
    /// The orders, likewise.
    package let orders: [Order]

    /// The ID of a customer.
    package static func customerID(_ number: Int) -> String { id("customer", number) }

    /// The ID of an order.
    package static func orderID(_ number: Int) -> String { id("order", number) }

    private static func id(_ kind: String, _ number: Int) -> String {
        let digits = String(number)
        return kind + "-" + String(repeating: "0", count: max(8 - digits.count, 0)) + digits
    }

    /// Creates data.
    package init(customers count: Int, seed: UInt64 = 1) {
        var maker = CustomerMaker(count: count, seed: seed)
        var (customers, orders): ([Customer], [Order]) = ([], [])
        for number in 0..<count {
            var customer = maker.customer(number)
            for _ in 0..<maker.orderCount() {
                customer.order_list.append(Self.orderID(orders.count))
                orders.append(maker.order(of: Self.customerID(number)))
            }
            customers.append(customer)
        }
        self.customers = customers
        self.orders = orders
    }

    /// A value as JSON text.
    static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}

/// Draws customers and orders.
private struct CustomerMaker {
    private var random: SeededGenerator
    private let number: Int
    /// About 200 customers have the same postcode, more in small data sets.
    private let zipCount: Int

    private static let firstNames = [
        "Ada", "Bruno", "Clara", "David", "Elena", "Farid", "Grace", "Hugo", "Ines", "Jonas",
        "Kofi", "Lena", "Mina", "Noah", "Olga", "Pablo", "Quinn", "Rosa", "Samir", "Tara",
    ]
    private static let lastNames = [
        "Abbott", "Bianchi", "Castro", "Dubois", "Eriksen", "Fischer", "Garcia", "Haddad",
        "Ivanov", "Jansen", "Kowalski", "Lopez", "Moreau", "Novak", "Okafor", "Petrov", "Quiroga",
        "Rossi", "Schmidt", "Tanaka",
    ]
    private static let countries = [
        "Argentina", "Brazil", "Canada", "Denmark", "Egypt", "France", "Ghana", "Hungary", "India",
        "Japan", "Kenya", "Latvia", "Mexico", "Norway", "Oman", "Peru", "Qatar", "Romania",
        "Spain", "Turkey",
    ]
    private static let products = ["lamp", "chair", "kettle", "radio", "clock", "bicycle"]
    private static let cityCount = 25
    private static let deviceCount = 500

    init(count: Int, seed: UInt64) {
        random = SeededGenerator(seed: seed)
        number = count
        zipCount = max(count / 200, 5)
    }

    mutating func customer(_ number: Int) -> Customer {
        let (first, last) = (random.pick(Self.firstNames), random.pick(Self.lastNames))
        let year = 1940 + random.below(70)
        return Customer(
            first_name: first, last_name: last, email: "\(first).\(last).\(number)@example.org",
            dob: "\(year)-\(twoDigits(12))-\(twoDigits(28))", age_group: Self.ageGroup(year),
            balance: random.below(1_000_000), active: random.below(2) == 0, address: address(),
            devices: devices(), children: children(), visited_places: visitedPlaces(),
            order_list: [])
    }

    mutating func orderCount() -> Int { random.below(6) }

    mutating func order(of customer: String) -> Order {
        Order(
            customer: customer, month: "2018-\(twoDigits(12))", sale_price: random.below(100_000),
            product: random.pick(Self.products), quantity: 1 + random.below(9))
    }

    /// A number from 1 to `count`.
    private mutating func twoDigits(_ count: Int) -> String {
        let number = 1 + random.below(count)
        return number < 10 ? "0\(number)" : "\(number)"
    }

    private static func ageGroup(_ year: Int) -> String {
        switch year {
        case ..<1955: "senior"
        case ..<1990: "adult"
        case ..<2000: "young"
        default: "teen"
        }
    }

    private mutating func address() -> Customer.Address {
        let previous = Customer.PreviousAddress(
            street: street(), city: city(), zip: zip(), country: random.pick(Self.countries))
        return Customer.Address(
            street: street(), city: city(), zip: zip(), country: random.pick(Self.countries),
            prev_address: previous)
    }

    private mutating func street() -> String {
        "\(1 + random.below(200)) \(random.pick(Self.lastNames)) Street"
    }

    private mutating func city() -> String { "City \(random.below(Self.cityCount))" }

    private mutating func zip() -> String { "Z\(10_000 + random.below(zipCount))" }

    private mutating func devices() -> [String] {
        distinct(1 + random.below(4)) { "device-\($0.below(Self.deviceCount))" }
    }

    private mutating func children() -> [Customer.Child] {
        (0..<random.below(4)).map { _ in
            Customer.Child(
                first_name: random.pick(Self.firstNames), gender: random.pick(["female", "male"]),
                age: random.below(18))
        }
    }

    private mutating func visitedPlaces() -> [Customer.VisitedCountry] {
        distinct(1 + random.below(4)) { $0.pick(Self.countries) }.map { country in
            Customer.VisitedCountry(
                country: country,
                cities: distinct(1 + random.below(3)) {
                    "\(country) \($0.below(Self.cityCount))"
                })
        }
    }

    private mutating func distinct(
        _ count: Int, _ make: (inout SeededGenerator) -> String
    ) -> [String] {
        var values: [String] = []
        while values.count < count {
            let value = make(&random)
            if !values.contains(value) { values.append(value) }
        }
        return values
    }
}
