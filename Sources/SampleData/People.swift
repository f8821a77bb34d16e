/// Synthetic people as JSON documents of about 390 bytes: the data of examples, tests and
/// benchmarks.
///
/// Each is one line of JSON with `_id`, `name`, `gender`, `age`, `birthday`, `contact`, `likes`,
/// `memberSince`, `active` and `score`. Some arrays are empty, and names contain letters outside of
/// ASCII. The same seed gives the same people, on every machine.
///
/// ```swift
/// try file.write { transaction in
///     for (number, person) in People(count: 1_000).enumerated() {
///         _ = try people.save("person-\(number)", in: transaction) {
///             try $0.writeJSON(person)
///         }
///     }
/// }
/// ```
///
/// It generates one person at a time, when it is iterated. For long strings, as full-text search
/// needs them, use ``Paragraphs``.
public struct People: Sequence, IteratorProtocol, Sendable {
    private var random: SeededGenerator
    private var number = 0
    private let count: Int

    /// Creates a sequence of people.
    ///
    /// ```swift
    /// let likes = People(count: 100, seed: 3).filter { $0.contains("chess") }
    /// ```
    ///
    /// - Parameters:
    ///   - count: the number of people; the IDs are `person-0001` and so on.
    ///   - seed: determines all properties; 1 by default.
    public init(count: Int, seed: UInt64 = 1) {
        random = SeededGenerator(seed: seed)
        self.count = count
    }

    /// The next person, one line of JSON with its `_id` first; nil after the last.
    ///
    /// - Returns: a JSON object without a line ending.
    public mutating func next() -> String? {
        guard number < count else { return nil }
        number += 1
        return person()
    }

    private mutating func person() -> String {
        let first = random.pick(Self.firstNames)
        let last = random.pick(Self.lastNames)
        let age = 18 + random.below(70)
        let born =
            "\(2026 - age)-\(twoDigits(1 + random.below(12)))-\(twoDigits(1 + random.below(28)))"
        let properties = [
            #""_id":"person-\#(padded(number, to: 4))""#,
            #""name":{"first":"\#(first)","last":"\#(last)"}"#,
            #""gender":"\#(random.below(2) == 0 ? "female" : "male")""#,
            #""age":\#(age)"#,
            #""birthday":"\#(born)""#,
            #""contact":\#(contact(first, last))"#,
            #""likes":\#(likes())"#,
            #""memberSince":"\#(2010 + random.below(16))-\#(twoDigits(1 + random.below(12)))-01""#,
            #""active":\#(random.below(4) > 0)"#,
            #""score":\#(random.below(100)).\#(1 + random.below(9))"#,
        ]
        return "{" + properties.joined(separator: ",") + "}"
    }

    private mutating func contact(_ first: String, _ last: String) -> String {
        let street = "\(1 + random.below(9_999)) \(random.pick(Self.streets))"
        let (city, state) = random.pick(Self.cities)
        let address =
            #"{"street":"\#(street)","zip":"\#(padded(random.below(100_000), to: 5))","#
            + #""city":"\#(city)","state":"\#(state)"}"#
        let mail = "\(first).\(last)".lowercased()
        let emails = (0...random.below(2)).map { #""\#(mail)\#($0 + 1)@example.com""# }
        let region = 201 + random.below(700)
        let phones = (0...random.below(2)).map { _ in
            #""\#(region)-\#(padded(random.below(10_000_000), to: 7))""#
        }
        return #"{"address":\#(address),"email":[\#(emails.joined(separator: ","))],"#
            + #""phone":[\#(phones.joined(separator: ","))],"region":"\#(region)"}"#
    }

    private mutating func likes() -> String {
        var rest = Self.likes
        let chosen = (0..<random.below(6)).map { _ in
            #""\#(rest.remove(at: random.below(rest.count)))""#
        }
        return "[\(chosen.joined(separator: ","))]"
    }
}

extension People {
    private static let firstNames = [
        "Ada", "Amir", "Beatriz", "Chen", "Dmitri", "Elif", "Fatima", "Grace", "Hiro", "Ines",
        "Jonas", "Kofi", "Leila", "Mateo", "Noor", "Olga", "Priya", "Quentin", "Rosa", "Sven",
        "Tariq", "Uma", "Viktor", "Wanjiru", "Ximena", "Yusuf", "Zoë",
    ]
    private static let lastNames = [
        "Abara", "Bergström", "Castillo", "Dubois", "Eriksen", "Fischer", "García", "Haddad",
        "Ivanova", "Jensen", "Kowalski", "Lindgren", "Moreau", "Nakamura", "Okafor", "Petrov",
        "Quispe", "Rahman", "Sato", "Tanaka", "Usman", "Vargas", "Weber", "Xu", "Yilmaz", "Zhang",
    ]
    private static let streets = [
        "Acacia Avenue", "Birch Lane", "Cedar Street", "Dahlia Court", "Elm Road", "Fern Hill",
        "Garden Walk", "Harbor View", "Ivy Close", "Juniper Way",
    ]
    private static let cities = [
        ("Amarillo", "TX"), ("Boise", "ID"), ("Cleveland", "OH"), ("Denver", "CO"),
        ("Eugene", "OR"), ("Fresno", "CA"), ("Gary", "IN"), ("Houston", "TX"), ("Ithaca", "NY"),
        ("Juneau", "AK"), ("Kansas City", "MO"), ("Lincoln", "NE"), ("Madison", "WI"),
        ("Newark", "NJ"), ("Omaha", "NE"), ("Portland", "OR"), ("Reno", "NV"), ("Seattle", "WA"),
        ("Tacoma", "WA"), ("Yonkers", "NY"),
    ]
    private static let likes = [
        "baking", "chess", "cycling", "dancing", "drawing", "films", "fishing", "gardening",
        "hiking", "knitting", "music", "painting", "reading", "running", "sailing", "swimming",
    ]
}

private func twoDigits(_ number: Int) -> String { padded(number, to: 2) }

private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
}
