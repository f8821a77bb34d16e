import DataFileCore
import FleeceLite
import Foundation
import QueryBuilder
import QueryEngine
import StoreFormat
import Testing

@Suite("Typed queries: their text")
struct QueryBuilderTextTests {
    let guests: TypedCollection<Guest>
    let orders: TypedCollection<Order>

    init() throws {
        guests = try DocumentCollection.guests
        orders = try DocumentCollection.orders
    }

    private func expect(
        _ text: String, _ expected: String, at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(text == expected, sourceLocation: location)
    }

    /// The condition of a query, without the alias, which must read back as the same query.
    private func condition(
        _ condition: (QueryTerm<Guest>) -> QueryTerm<Bool>
    ) throws -> String {
        try self.condition(from(guests).where(condition))
    }

    private func condition<Row>(
        _ query: SelectQuery<OneSource<Guest>, Row>
    ) throws -> String {
        let text = try query.sqlPlusPlus
        #expect(try Query(text).sqlPlusPlus == text)
        #expect(try Query(json: query.query.json).json == query.query.json)
        let parts = text.split(separator: " WHERE ", maxSplits: 1)
        return try String(#require(parts.last)).replacing("guests.", with: "")
    }

    @Test("a query by key paths is the query by closures")
    func forms() throws {
        let paths = from(guests)
            .where(\.age > 30 && \.name.last[like: "B%"])
            .select(\.name)
            .orderBy(\.age.descending)
        let closures = from(guests)
            .where { $0.age > 30 && $0.name.last.like("B%") }
            .select { $0.name }
            .orderBy { $0.age.descending }
        try expect(
            paths.sqlPlusPlus,
            "SELECT guests.name FROM guests "
                + "WHERE guests.age > 30 AND guests.name.last LIKE 'B%' ORDER BY guests.age DESC")
        try expect(closures.query.json, paths.query.json)
    }

    @Test("a chain of conditions may be long, and an expression nested too deeply is an error")
    func heights() throws {
        let ages = Array(0..<3_000)
        let text = try from(guests).where { guest in
            ages.dropFirst().reduce(guest.age == 0) { $0 || guest.age == $1 }
        }.sqlPlusPlus
        #expect(text.split(separator: " OR ").count == 3_000)
        let error = #expect(throws: StoreError.self) {
            let sum = from(guests).where {
                $0.age == ages.reduce($0.age) { sum, age in sum + age }
            }
            return try sum.sqlPlusPlus
        }
        #expect(error?.message == "an expression of a query is nested more than 400 deep")
        var query = from(guests)
        for age in 0..<1_000 { query = query.where { $0.age != age } }
        #expect(try query.sqlPlusPlus.split(separator: " AND ").count == 1_000)
    }

    @Test("without select a query returns documents and their IDs")
    func documents() throws {
        try expect(
            from(guests).sqlPlusPlus,
            "SELECT META(guests).id, META(guests).sequence, guests FROM guests")
        try expect(
            from(DocumentCollection(.default)).where(property("age") > 30).select(property("a.b"))
                .sqlPlusPlus, "SELECT doc.a.b FROM _ AS doc WHERE doc.age > 30")
        try expect(
            from(orders, as: "o").select(\.total).sqlPlusPlus,
            "SELECT o.total FROM shop.orders AS o")
    }

    @Test("comparisons")
    func comparisons() throws {
        let least = 18
        try expect(condition { $0.age >= least }, "age >= 18")
        try expect(condition { least < $0.age }, "age > 18")
        try expect(condition { $0.age != $0.limit }, "age != `limit`")
        try expect(condition { $0.nick == "Bo" }, "`nick name` = 'Bo'")
        try expect(condition { $0.nick == $0.name.first }, "`nick name` = name.given")
        try expect(condition { $0.nick == nil }, "`nick name` IS NOT VALUED")
        try expect(condition { $0.nick != nil }, "`nick name` IS VALUED")
        try expect(condition { $0.rank == .general }, "rank = 'general'")
        try expect(
            condition { $0.name == FullName(first: "A", last: "B") },
            "name = {'given': 'A', 'last': 'B'}")
        try expect(condition { $0.height.as(Int.self) > $0.age }, "height > age")
        try expect(condition { $0.address.city == "Oslo" }, "address.city = 'Oslo'")
        try expect(condition { $0.address.zip.isMissing }, "address.zip IS MISSING")
        try expect(condition { $0.nick.isNull }, "`nick name` IS NULL")
        try expect(condition { $0.age.between(18...65) }, "age BETWEEN 18 AND 65")
        try expect(condition { $0.age.between(18, 65) }, "age BETWEEN 18 AND 65")
        try expect(condition { $0.age.in([1, 2]) }, "age IN (1, 2)")
        try expect(condition { $0.rank.in([.major, .general]) }, "rank IN ('major', 'general')")
        try expect(condition { $0.age.in(parameter("ages")) }, "age IN $ages")
        try expect(condition { $0.age > parameter("least") }, "age > $least")
    }

    @Test("conditions of key paths")
    func paths() throws {
        try expect(condition(from(guests).where(\.isMember)), "member")
        try expect(condition(from(guests).where(!\.isMember)), "NOT member")
        try expect(
            condition(from(guests).where(\.isMember && \.hasPaid || \.age + 1 > \.limit)),
            "member AND paid OR age + 1 > `limit`")
        try expect(
            condition(from(guests).where(!(\.age < 3) && \.age * 2 >= 7)),
            "NOT age < 3 AND age * 2 >= 7")
        try expect(condition(from(guests).where(\.nick == nil)), "`nick name` IS NOT VALUED")
        try expect(condition(from(guests).where(\.rank == .major)), "rank = 'major'")
        try expect(condition(from(guests).where(\.age[in: [1, 2]])), "age IN (1, 2)")
        try expect(condition(from(guests).where(\.age[between: 1...2])), "age BETWEEN 1 AND 2")
        try expect(condition(from(guests).where(\.likes[0] == "tea")), "likes[0] = 'tea'")
        try expect(condition(from(guests).where(\.scores["go"] > 3)), "scores.go > 3")
        try expect(condition(from(guests).where(\.likes[contains: "tea"])), "'tea' IN likes")
        try expect(condition(from(guests).where(\.age > parameter("x"))), "age > $x")
        try expect(
            condition(from(guests).where(\.[match: "byBio", "tea"])), "MATCH(`byBio`, 'tea')")
        try expect(condition(from(guests).where(\.meta.id == "a")), "META(guests).id = 'a'")
        try expect(condition(from(guests).where(\.age > 1).where(\.isMember)), "age > 1 AND member")
    }

    @Test("strings, arrays, dictionaries")
    func values() throws {
        try expect(
            condition { $0.name.last.lower().contains("by") }, "contains(lower(name.last), 'by')")
        try expect(condition { !$0.name.last.like("B%") }, "name.last NOT LIKE 'B%'")
        try expect(
            condition { $0.name.last.hasPrefix("1_%") }, #"name.last LIKE '1\_\%%' ESCAPE '\'"#)
        try expect(condition { $0.name.last.length > 3 }, "length(name.last) > 3")
        try expect(condition { $0.name.last.count > 3 }, "length(name.last) > 3")
        try expect(
            condition { $0.name.first + " " + $0.name.last == "A B" },
            "name.given || ' ' || name.last = 'A B'")
        try expect(condition { ($0.nick ?? "-") == "-" }, "ifmissingornull(`nick name`, '-') = '-'")
        try expect(
            condition { $0.likes.any { $0.like("t%") } },
            "ANY _item IN likes SATISFIES _item LIKE 't%' END")
        try expect(
            condition { guest in
                guest.visits.any { visit in
                    visit.days > guest.age && guest.likes.every { $0 != visit.place }
                }
            },
            "ANY _item IN visits SATISFIES _item.days > age AND EVERY _item3 IN likes "
                + "SATISFIES _item3 != _item.place END END")
        try expect(condition { $0.likes.count > 2 }, "array_length(likes) > 2")
        try expect(condition { $0.likes.last == "tea" }, "likes[-1] = 'tea'")
        try expect(condition { $0.scores["a b"] > 1 }, "scores.`a b` > 1")
        try expect(condition { $0.age / 2 > 1.5 }, "age / 2 > 1.5")
        try expect(
            condition { QueryTerm<Double>.function("power", $0.height, QueryTerm(2)) > 4 },
            "power(height, 2) > 4.0")
        try expect(condition { $0.property("pets[0].name") == "Rex" }, "pets[0].name = 'Rex'")
        try expect(condition { $0.property("pets", as: Int.self) > 3 }, "pets > 3")
        try expect(
            condition { QueryTerm.when($0.isMember, then: $0.age, otherwise: QueryTerm(0)) > 3 },
            "CASE WHEN member THEN age ELSE 0 END > 3")
    }

    @Test("dates, UUIDs, URLs, decimals and data are compared in their encoded form")
    func forms2() throws {
        let day = Date(timeIntervalSince1970: 0)
        let timestamp = Date(timeIntervalSince1970: 0.589)
        try expect(condition { $0.born == day }, "born = '1970-01-01T00:00:00Z'")
        try expect(condition { $0.born >= day }, "born >= '1970-01-01T00:00:00.'")
        try expect(
            condition { $0.born > day },
            "born >= '1970-01-01T00:00:00.' AND born != '1970-01-01T00:00:00Z'")
        try expect(condition { $0.born < day }, "born < '1970-01-01T00:00:00.'")
        try expect(
            condition { $0.born <= day },
            "born < '1970-01-01T00:00:00.' OR born = '1970-01-01T00:00:00Z'")
        try expect(
            condition { $0.born > timestamp },
            "born > '1970-01-01T00:00:00.589Z' AND born != '1970-01-01T00:00:00Z'")
        try expect(
            condition { $0.born <= timestamp },
            "born <= '1970-01-01T00:00:00.589Z' OR born = '1970-01-01T00:00:00Z'")
        try expect(
            condition { $0.born < parameter("x") }, "str_to_millis(born) < str_to_millis($x)")
        let key = try #require(UUID(uuidString: "00000000-0000-4000-8000-00000000000A"))
        try expect(condition { $0.key == key }, "key = '00000000-0000-4000-8000-00000000000A'")
        try expect(condition { $0.page == URL(string: "https://a.b/c") }, "page = 'https://a.b/c'")
        try expect(condition { $0.balance > 1.5 }, "tonumber(balance) > tonumber('1.5')")
        #expect(throws: StoreError.self) {
            try from(guests).where { $0.photo == Data([1, 2, 255]) }.query
        }
        try expect(condition { $0.photo == parameter("photo") }, "photo = $photo")
        var milliseconds = guests
        milliseconds.encoder.dates = .milliseconds
        try expect(condition(from(milliseconds).where { $0.born > timestamp }), "born > 589")
    }

    @Test("joins, elements of arrays, groups")
    func sources() throws {
        let joined = from(guests)
            .join(orders, on: { guest, order in order.guest == guest.meta.id })
            .where { guest, order in guest.age > 30 && order.total > 9.5 }
            .where(\.isMember)
            .select { ($0.name.last, $1.total) }
            .orderBy { guest, order in (order.total.descending, guest.age) }
        try expect(
            joined.sqlPlusPlus,
            "SELECT guests.name.last, orders.total FROM guests "
                + "JOIN shop.orders AS orders ON orders.guest = META(guests).id "
                + "WHERE guests.age > 30 AND orders.total > 9.5 AND guests.member "
                + "ORDER BY orders.total DESC, guests.age")
        let left = from(guests).leftJoin(orders, on: { $0.name.last == $1.guest })
            .where { guest, order in order.total.isMissing }
        #expect(
            try left.sqlPlusPlus.hasSuffix(
                "FROM guests LEFT JOIN shop.orders AS orders "
                    + "ON guests.name.last = orders.guest WHERE orders.total IS MISSING"))
        let triple = from(guests).join(orders, on: { $1.guest == $0.meta.id })
            .join(guests, on: { $2.age == $0.age }).select { ($0.age, $1.total, $2.age) }
        try expect(
            triple.sqlPlusPlus,
            "SELECT guests.age, orders.total, guests2.age FROM guests "
                + "JOIN shop.orders AS orders ON orders.guest = META(guests).id "
                + "JOIN guests AS guests2 ON guests2.age = guests.age")
        let elements = from(guests).unnest(\.likes).where { _, like in like == "tea" }
            .groupBy { _, like in like }.having { guest, _ in guest.rowCount > 1 }
            .select { guest, like in (like, guest.rowCount, guest.age.average) }.distinct()
            .limit(10).offset(20)
        try expect(
            elements.sqlPlusPlus,
            "SELECT DISTINCT likes, count(*), avg(guests.age) FROM guests "
                + "UNNEST guests.likes AS likes WHERE likes = 'tea' GROUP BY likes "
                + "HAVING count(*) > 1 LIMIT 10 OFFSET 20")
        let groups = from(guests).groupBy(\.rank, \.isMember)
            .select { ($0.rank, $0.age.sum, $0.age.maximum, $0.nick.distinctCount) }
        try expect(
            groups.sqlPlusPlus,
            "SELECT guests.rank, sum(guests.age), max(guests.age), "
                + "count(DISTINCT guests.`nick name`) FROM guests "
                + "GROUP BY guests.rank, guests.member")
    }

    @Test("subqueries use the outer terms")
    func subqueries() throws {
        let query = from(guests).where { guest in
            guest.meta.id.in(from(orders).where { $0.total > guest.height }.select(\.guest))
                && exists(from(guests).where { $0.age == guest.age })
        }.select(\.age)
        try expect(
            query.sqlPlusPlus,
            "SELECT guests.age FROM guests WHERE META(guests).id IN "
                + "(SELECT _orders_1.guest FROM shop.orders AS _orders_1 "
                + "WHERE _orders_1.total > guests.height) AND EXISTS "
                + "(SELECT META(_guests_1).id, META(_guests_1).sequence, _guests_1 "
                + "FROM guests AS _guests_1 WHERE _guests_1.age = guests.age)")
    }

    @Test("updates and deletions")
    func changes() throws {
        let change = update(guests).set(\.age) { $0.age + 1 }.set(\.rank, to: .general)
            .set(\.nick, to: nil).set("pet.name", to: "Rex").unset(\.address.city)
            .where(\.name.last == "Byron").limit(3)
        try expect(
            change.sqlPlusPlus,
            "UPDATE guests SET age = guests.age + 1, rank = 'general', pet.name = 'Rex' "
                + "UNSET `nick name`, address.city WHERE guests.name.last = 'Byron' LIMIT 3")
        try expect(
            delete(from: guests).where(\.age > 150 || \.isMember).sqlPlusPlus,
            "DELETE FROM guests WHERE guests.age > 150 OR guests.member")
        #expect(throws: StoreError.self) { try update(guests).query }
        #expect(throws: StoreError.self) {
            try update(guests).set(\.age.descendingAge, to: 1).query
        }
    }
}

extension QueryTerm {
    /// Not a property, but an expression of one.
    var descendingAge: QueryTerm<Int> { QueryTerm<Int>(1) }
}
