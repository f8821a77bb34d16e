import DataFileCore
import EngineTestSupport
import Foundation
import QueryBuilder
import QueryEngine
import StoreFormat
import Testing

@Suite("Typed queries: results")
struct QueryBuilderRowTests {
    let fixture: StoreFixture
    let file: DataFile
    let guests: TypedCollection<Guest>
    let orders: TypedCollection<Order>

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        let (guests, orders) = (try DocumentCollection.guests, try DocumentCollection.orders)
        (self.guests, self.orders) = (guests, orders)
        try file.write { transaction in
            try guests.collection.create(in: transaction)
            try orders.collection.create(in: transaction)
            for (id, guest) in Self.people {
                _ = try guests.save(guest, id: id, in: transaction)
            }
            for (index, total) in [12.5, 3, 40].enumerated() {
                let order = Order(
                    guest: index == 1 ? "bo" : "ada", total: total, items: ["tea", "cup"])
                _ = try orders.save(order, id: "order\(index)", in: transaction)
            }
        }
    }

    private static var people: [(String, Guest)] {
        var ada = Guest("Ada", "Byron", age: 36)
        ada.nick = "Countess"
        ada.address = Address(city: "London", zip: nil)
        ada.likes = ["maths", "tea"]
        ada.born = Date(timeIntervalSince1970: 100.5)
        ada.balance = 9
        ada.photo = Data([1, 2])
        var bo = Guest("Bo", "Ek", age: 50)
        bo.rank = .general
        bo.likes = ["tea"]
        bo.visits = [Visit(place: "Oslo", days: 3)]
        bo.scores = ["go": 5]
        bo.born = Date(timeIntervalSince1970: 100)
        bo.balance = 10
        var cy = Guest("Cy", "Blom", age: 20)
        cy.born = Date(timeIntervalSince1970: 101)
        cy.balance = -1
        return [("ada", ada), ("bo", bo), ("cy", cy)]
    }

    /// The IDs of those of whom a condition is true.
    private func ids(_ condition: (QueryTerm<Guest>) -> QueryTerm<Bool>) throws -> String {
        let query = from(guests).where(condition).orderBy(\.meta.id).select(\.meta.id)
        return try file.read { try query.all(in: $0) }.joined(separator: " ")
    }

    @Test("rows are values, tuples and documents")
    func rows() throws {
        try file.read { snapshot in
            let names = try from(guests).where(\.age > 30 && \.name.last[like: "B%"])
                .select(\.name).orderBy(\.age.descending).all(in: snapshot)
            #expect(names == [FullName(first: "Ada", last: "Byron")])
            let pairs: [(String, Int)] = try from(guests).select(\.name.last, \.age)
                .orderBy(\.age.descending).all(in: snapshot)
            #expect(pairs.map(\.0) == ["Ek", "Byron", "Blom"])
            #expect(pairs.map(\.1) == [50, 36, 20])
            let nicks = try from(guests).select(\.nick).orderBy(\.meta.id).all(in: snapshot)
            #expect(nicks == ["Countess", nil, nil])
            let rest = try from(guests).where { $0.meta.id == "ada" }
                .select { ($0.rank, $0.born, $0.isMember, $0.height, $0.photo, $0.balance) }
                .first(in: snapshot)
            #expect(rest?.0 == .major)
            #expect(rest?.1 == Date(timeIntervalSince1970: 100.5))
            #expect(rest?.2 == false)
            #expect(rest?.3 == 1.75)
            #expect(rest?.4 == Data([1, 2]))
            #expect(rest?.5 == 9)
            let found = try from(guests).where(\.age == 50).all(in: snapshot)
            #expect(found.map(\.id) == ["bo"])
            #expect(found.map(\.sequence) == [2])
            #expect(found.map(\.name.last) == ["Ek"])
            #expect(try from(guests).where(\.age == 1).first(in: snapshot) == nil)
        }
    }

    @Test("conditions")
    func conditions() throws {
        #expect(try ids { $0.nick == nil } == "bo cy")
        #expect(try ids { $0.nick != nil } == "ada")
        #expect(try ids { $0.nick == "Countess" } == "ada")
        #expect(try ids { $0.address.city == "London" } == "ada")
        #expect(try ids { $0.rank == .general } == "bo")
        #expect(try ids { $0.isMember } == "bo")
        #expect(try ids { !$0.isMember } == "ada cy")
        #expect(try ids { $0.likes.any { $0 == "tea" } } == "ada bo")
        #expect(try ids { $0.likes.contains("maths") } == "ada")
        #expect(try ids { $0.likes.anyAndEvery { $0 == "tea" } } == "bo")
        #expect(try ids { $0.likes.count == 0 } == "cy")
        #expect(try ids { $0.likes.isEmpty } == "cy")
        #expect(try ids { $0.visits.any { $0.days > 2 && $0.place.like("O%") } } == "bo")
        #expect(try ids { $0.scores["go"] == 5 } == "bo")
        #expect(try ids { $0.age.in([20, 36]) } == "ada cy")
        #expect(try ids { $0.age.between(30...50) } == "ada bo")
        #expect(try ids { $0.name.last.hasPrefix("B") } == "ada cy")
        #expect(try ids { $0.name.last.hasPrefix("B%") } == "")
        #expect(try ids { $0.name.last.lower() == "ek" } == "bo")
        #expect(try ids { $0.name.last.ignoringCase == "EK" } == "bo")
        #expect(try ids { $0.name.last.contains("lo") } == "cy")
        #expect(try ids { $0.name == FullName(first: "Bo", last: "Ek") } == "bo")
        #expect(try ids { $0.height.as(Int.self) < $0.age } == "ada bo cy")
        #expect(try ids { $0.age / 8 == 4.5 } == "ada")
        #expect(try ids { ($0.nick ?? $0.name.first) == "Bo" } == "bo")
        #expect(try ids { $0.meta.id.in(from(orders).select(\.guest)) } == "ada bo")
        #expect(
            try ids { guest in
                exists(from(orders).where { $0.guest == guest.meta.id && $0.total > 13 })
            } == "ada")
    }

    @Test("dates and decimals are compared by value")
    func orders2() throws {
        let second = Date(timeIntervalSince1970: 100)
        let half = Date(timeIntervalSince1970: 100.5)
        #expect(try ids { $0.born >= second } == "ada bo cy")
        #expect(try ids { $0.born > second } == "ada cy")
        #expect(try ids { $0.born < second } == "")
        #expect(try ids { $0.born <= second } == "bo")
        #expect(try ids { $0.born >= half } == "ada cy")
        #expect(try ids { $0.born > half } == "cy")
        #expect(try ids { $0.born < half } == "bo")
        #expect(try ids { $0.born <= half } == "ada bo")
        #expect(try ids { $0.born.between(second...half) } == "ada bo")
        #expect(try ids { $0.balance > 9 } == "bo")
        #expect(try ids { $0.balance < 9.5 } == "ada cy")
        let balances = from(guests).orderBy(\.balance.descending).select(\.meta.id)
        #expect(try file.read { try balances.all(in: $0) } == ["bo", "ada", "cy"])
    }

    @Test("joins, elements, groups")
    func joins() throws {
        try file.read { snapshot in
            let totals = try from(guests)
                .join(orders, on: { guest, order in order.guest == guest.meta.id })
                .select { ($0.name.first, $1.total) }
                .orderBy { guest, order in order.total }.all(in: snapshot)
            #expect(totals.map(\.0) == ["Bo", "Ada", "Ada"])
            #expect(totals.map(\.1) == [3, 12.5, 40])
            let left = try from(guests)
                .leftJoin(orders, on: { guest, order in order.guest == guest.meta.id })
                .where(\.age < 40)
                .select { guest, order in (guest.meta.id, order.total) }
                .orderBy { guest, order in (guest.meta.id, order.total) }.all(in: snapshot)
            #expect(left.map(\.0) == ["ada", "ada", "cy"])
            #expect(left.map(\.1) == [12.5, 40, nil])
            let likes = try from(guests).unnest(\.likes).groupBy { _, like in like }
                .select { guest, like in (like, guest.rowCount, guest.age.sum) }
                .orderBy { _, like in like }.all(in: snapshot)
            #expect(likes.map(\.0) == ["maths", "tea"])
            #expect(likes.map(\.1) == [1, 2])
            #expect(likes.map(\.2) == [36, 86])
            let whole = try from(guests).join(orders, on: { $1.guest == $0.meta.id })
                .where { guest, order in order.total == 40.0 }
                .select { guest, order in (guest, order) }.first(in: snapshot)
            #expect(whole?.0.name.last == "Byron")
            #expect(whole?.1.items == ["tea", "cup"])
        }
    }

    @Test("parameters, limits, untyped collections")
    func parameters() throws {
        try file.read { snapshot in
            let older = from(guests).where(\.age > parameter("least"))
                .orderBy(\.age).limit(parameter("most")).select(\.age)
            #expect(try older.all(in: snapshot, ["least": 30, "most": 5]) == [36, 50])
            #expect(try older.all(in: snapshot, ["least": 10, "most": 1]) == [20])
            #expect(try older.offset(2).all(in: snapshot, ["least": 10, "most": 9]) == [50])
            let photos = from(guests).where(\.photo == parameter("photo")).select(\.meta.id)
            #expect(try photos.all(in: snapshot, ["photo": .data([1, 2])]) == ["ada"])
            let untyped = from(guests.collection)
                .where(property("age") > 30 && property("name.last").like("B%"))
                .select(property("name.last"), property("age", as: Int.self))
            let row = try untyped.first(in: snapshot)
            #expect(row?.0 == "Byron")
            #expect(row?.1 == 36)
            let documents = try from(guests.collection).where { $0["age"] == 50 }.all(in: snapshot)
            #expect(documents.map { $0.value["name"]["given"] } == ["Bo"])
        }
    }

    @Test("full-text matches and their rank, metadata of documents")
    func documents() throws {
        try file.write { transaction in
            _ = try guests.collection.createIndex(
                .fullText("byName", on: "name.last, name.given"), in: transaction)
        }
        #expect(try ids { $0.match("byName", "byron") } == "ada")
        #expect(try ids { $0.match("byName", parameter("words")) } == "")
        try file.read { snapshot in
            let found = try from(guests).where(\.[match: "byName", "ek OR blom"])
                .select { ($0.meta.id, $0.matchRank("byName")) }.orderBy(\.meta.id)
                .all(in: snapshot)
            #expect(found.map(\.0) == ["bo", "cy"])
            #expect(found.allSatisfy { $0.1 > 0 })
            let known = try from(guests)
                .select {
                    ($0.meta.sequence, $0.meta.expiration, $0.meta.isDeleted, $0.meta.revisionID)
                }
                .orderBy(\.meta.sequence).all(in: snapshot)
            #expect(known.map(\.0) == [1, 2, 3])
            #expect(known.map(\.1) == [nil, nil, nil])
            #expect(known.map(\.2) == [false, false, false])
            #expect(known.allSatisfy { !$0.3.isEmpty })
        }
    }

    @Test("rows are streamed to tasks")
    func tasks() async throws {
        let query = from(guests).select(\.age).orderBy(\.age)
        var ages: [Int] = []
        for try await age in try file.rows(of: query) { ages.append(age) }
        #expect(ages == [20, 36, 50])
        #expect(try await file.all(of: query.limit(1)) == [20])
    }

    @Test("hostile strings are only strings")
    func injection() throws {
        for text in ["' OR 1=1 --", "\"; DROP TABLE kv_default", "$x", "\\'", "''", "`"] {
            #expect(try ids { $0.nick == text } == "")
            #expect(try ids { $0.property("nick").in([.string(text)]) } == "")
            let query = from(guests).where { $0.nick == text }.select(\.age)
            #expect(try Query(query.sqlPlusPlus).json == query.query.json)
            #expect(throws: StoreError.self) {
                try from(guests).where { $0.age > parameter("x y" + text) }.query
            }
        }
    }

    @Test("errors are errors of the query")
    func mistakes() throws {
        #expect(throws: StoreError.self) { try from(guests).where(\.shout == "X").query }
        #expect(throws: StoreError.self) { try from(guests).select(\.height.meta.id).query }
        #expect(throws: StoreError.self) { try from(guests).where { $0.height > .nan }.query }
        #expect(throws: StoreError.self) { try from(guests, as: "_x").query }
        #expect(throws: StoreError.self) { try from(guests).select(property("a..[")).query }
        do {
            _ = try from(guests).select { QueryTerm<Int>.function("lenght", $0.nick) }.query
        } catch let error as StoreError {
            #expect(error.message == "there is no function lenght(); did you mean length()?")
        }
    }
}
