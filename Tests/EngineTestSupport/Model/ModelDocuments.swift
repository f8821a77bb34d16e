internal import SampleData

/// Documents with unusual values, the same for the same seed: things that have properties of every
/// type or none, items that things refer to, and orders in a scope.
package struct ModelDocuments {
    static let things = "_default._default"
    static let items = "_default.items"
    static let orders = "shop.orders"

    private var random: SeededGenerator

    /// Documents by the full names of their collections.
    package static func make(seed: UInt64, things count: Int = 40) -> [String: [ModelDocument]] {
        var maker = ModelDocuments(random: SeededGenerator(seed: seed))
        return [
            things: maker.documents("t", count) { $0.thing($1) },
            items: maker.documents("i", 12) { $0.item($1) },
            orders: maker.documents("o", 16) { $0.order($1) },
        ]
    }

    private mutating func documents(
        _ prefix: String, _ count: Int,
        _ body: (inout ModelDocuments, Int) -> [ModelString: ModelValue]
    ) -> [ModelDocument] {
        (0..<count).map { index in
            let members = body(&self, index).filter { !$0.value.isMissing }
            let number = index < 10 ? "0\(index)" : "\(index)"
            return ModelDocument(
                id: prefix + number, sequence: Int64(index + 1), body: .object(members))
        }
    }

    private mutating func thing(_ index: Int) -> [ModelString: ModelValue] {
        [
            "kind": pick(Self.kinds), "n": pick(Self.numbers), "mixed": pick(Self.anything),
            "text": pick(Self.texts), "flag": pick(Self.flags), "small": pick(Self.small),
            "list": list(), "parts": parts(), "where": location(), "a.b": pick(Self.small),
            "$m": pick(Self.small), "item": reference(), "words": words(),
            "even": .boolean(index % 2 == 0),
        ]
    }

    private mutating func item(_ index: Int) -> [ModelString: ModelValue] {
        [
            "name": .text("item \(index)"), "price": pick(Self.small), "kind": pick(Self.kinds),
            "tags": list(), "group": pick([.integer(1), .integer(2), .missing, .null]),
        ]
    }

    private mutating func order(_ index: Int) -> [ModelString: ModelValue] {
        [
            "item": reference(), "count": pick(Self.small), "rush": pick(Self.flags),
            "note": pick(Self.texts),
        ]
    }

    private mutating func pick(_ values: [ModelValue]) -> ModelValue { random.pick(values) }
}

// Values.
extension ModelDocuments {
    package static let kinds: [ModelValue] = [
        .text("red"), .text("red"), .text("green"), .text("Green"), .text("blue"), .text("blue"),
        .null, .missing,
    ]

    package static let small: [ModelValue] = [
        .integer(0), .integer(1), .integer(2), .integer(3), .integer(-1), .real(0.5), .real(2.5),
        .real(-1.25), .integer(10), .integer(7), .missing, .null,
    ]

    package static let numbers: [ModelValue] = [
        .integer(0), .integer(1), .integer(-7), .integer(42), .real(1.5), .real(-0.25),
        .integer(9_007_199_254_740_993), .integer(.max), .integer(.min), .real(1e300),
        .integer(5), .integer(100), .missing, .null, .unsigned(18_446_744_073_709_551_614),
        .integer(2), .integer(3), .integer(3),
    ]

    package static let flags: [ModelValue] = [
        .boolean(true), .boolean(true), .boolean(false), .integer(0), .integer(1), .missing, .null,
        .text("true"),
    ]

    package static let texts: [ModelValue] = [
        .text(""), .text("a"), .text("A"), .text("abc"), .text("ABC"), .text("Äpfel"),
        .text("äpfel"), .text("Zoë"), .text("e\u{301}"), .text("é"), .text("50%"), .text("a_b"),
        .text("it's"), .text("\"quoted\""), .text(" blank "), .text("12"), .text("12abc"),
        .text("-3.5"), .text("東京"), .text("b\\c"), .missing, .null, .integer(12), .text("abcabc"),
    ]

    package static let anything: [ModelValue] = [
        .missing, .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .integer(-1),
        .real(1.5), .text(""), .text("1"), .text("abc"), .array([]),
        .array([.integer(1), .integer(2)]), .array([.boolean(true)]), .array([.integer(1)]),
        .object([:]), .object(["x": .integer(1)]), .object(["x": .boolean(true)]), .integer(2),
        .array([.null]), .text("red"),
    ]

    private mutating func list() -> ModelValue {
        switch random.below(20) {
        case 0: return .missing
        case 1: return .null
        case 2: return .text("single")
        case 3: return .object(["one": .integer(1), "two": .text("red")])
        case 4: return .integer(3)
        default: break
        }
        let scalars: [ModelValue] = [
            .integer(1), .integer(2), .integer(3), .real(2.5), .text("red"), .text("Red"),
            .text("blue"), .boolean(true), .boolean(false), .null, .array([.integer(1)]),
            .text(""), .integer(-4), .text("green"),
        ]
        return .array((0..<random.below(5)).map { _ in random.pick(scalars) })
    }

    private mutating func parts() -> ModelValue {
        switch random.below(12) {
        case 0: return .missing
        case 1: return .null
        case 2: return .text("no parts")
        default: break
        }
        let count = random.below(4)
        var parts: [ModelValue] = []
        for _ in 0..<count {
            var members: [ModelString: ModelValue] = [
                "p": random.pick(Self.small), "q": random.pick(Self.kinds), "tags": list(),
            ]
            members = members.filter { !$0.value.isMissing }
            parts.append(random.below(12) == 0 ? .integer(7) : .object(members))
        }
        return .array(parts)
    }

    private mutating func location() -> ModelValue {
        if random.below(8) == 0 { return random.pick([.missing, .null, .text("here")]) }
        var members: [ModelString: ModelValue] = [
            "city": random.pick([.text("Oslo"), .text("Rome"), .text("oslo"), .missing, .null]),
            "at": .object(["x": random.pick(Self.small), "y": .integer(Int64(random.below(3)))]),
        ]
        members = members.filter { !$0.value.isMissing }
        if case .object(let inner)? = members["at"] {
            members["at"] = .object(inner.filter { !$0.value.isMissing })
        }
        return .object(members)
    }

    private mutating func reference() -> ModelValue {
        switch random.below(10) {
        case 0: .missing
        case 1: .null
        case 2: .integer(3)
        case 3: .text("i99")
        default: .text("i0\(random.below(8))")
        }
    }

    private mutating func words() -> ModelValue {
        let all = ["quick", "brown", "foxes", "jump", "over", "the", "lazy", "dog", "running"]
        if random.below(8) == 0 { return random.pick([.missing, .null, .integer(1)]) }
        let words = (0..<random.below(6)).map { _ in random.pick(all) }
        return .text(words.joined(separator: " "))
    }
}
