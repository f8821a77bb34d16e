import DataFileCore
import EngineTestSupport
import Foundation
import QueryBuilder
import QueryEngine
import Testing

// page begins
struct Person: Codable {
    struct Name: Codable {
        var first, last: String
    }
    enum State: String, Codable { case active, retired }

    var name: Name
    var age: Int
    var state: State
    var nick: String?
    var likes: [String]
    var born: Date

    enum CodingKeys: String, CodingKey {
        case name, age, state, likes, born
        case nick = "nickname"
    }
}

struct Trip: Codable {
    var person: String
    var place: String
}
// page ends

/// The programs of docs/query-builder.md.
@Suite("docs/query-builder.md")
struct QueryBuilderPageTests {
    let fixture: StoreFixture
    let file: DataFile
    let people: TypedCollection<Person>
    let visits: TypedCollection<Trip>

    init() throws {
        fixture = try StoreFixture()
        file = try fixture.open()
        let people = DocumentCollection(try CollectionName("people")).of(Person.self)
        let visits = DocumentCollection(try CollectionName("visits")).of(Trip.self)
        (self.people, self.visits) = (people, visits)
        try file.write { transaction in
            try people.collection.create(in: transaction)
            try visits.collection.create(in: transaction)
            for (id, last, age, likes) in [
                ("ada", "Byron", 36, ["tea", "maths"]), ("bo", "Boye", 50, ["tea"]),
                ("cy", "Ek", 70, []),
            ] {
                let person = Person(
                    name: Person.Name(first: id.capitalized, last: last), age: age,
                    state: age > 65 ? .retired : .active, nick: age == 50 ? "B" : nil,
                    likes: likes, born: Date(timeIntervalSince1970: 0))
                _ = try people.save(person, id: id, in: transaction)
            }
            let visit = Trip(person: "ada", place: "Turin")
            _ = try visits.save(visit, in: transaction)
        }
    }

    private var print: (String) -> Void { { #expect(!$0.isEmpty) } }

    @Test("the programs compile, and have the documented results")
    func programs() async throws {
        try asking()
        try conditions()
        try rows()
        try groups()
        try several()
        try parameters()
        try untyped()
        try changes()
        try await tasks()
    }

    private func asking() throws {
        // page begins
        let names = from(people)
            .where(\.age > 30 && \.name.last[like: "B%"])
            .select(\.name)
            .orderBy(\.age.descending)
        let found = try file.read { try names.all(in: $0) }  // [Person.Name]
        print(try names.sqlPlusPlus)
        // page ends
        #expect(found.map(\.first) == ["Bo", "Ada"])
    }

    private func conditions() throws {
        // page begins
        let names = from(people)
            .where { $0.age > 30 && $0.name.last.like("B%") }
            .where { $0.nick == nil || $0.state.in([.active, .retired]) }
            .where { person in person.likes.any { $0 == "tea" } && !person.name.first.isMissing }
            .select { $0.name.last.upper() + ", " + $0.name.first }
            .orderBy { ($0.age.descending, $0.name.last) }
        // page ends
        #expect(try file.read { try names.all(in: $0) } == ["BOYE, Bo", "BYRON, Ada"])
    }

    private func rows() throws {
        // page begins
        try file.read { snapshot in
            for person in try from(people).where(\.age > 40).all(in: snapshot) {
                print("\(person.id): \(person.value.name.last), \(person.age)")
            }
            let pairs = try from(people).select(\.name.first, \.nick).rows(in: snapshot)
            while let (first, nick) = try pairs.next() {  // (String, String?)
                print("\(first) \(nick ?? "")")
            }
        }
        // page ends
    }

    private func groups() throws {
        // page begins
        let states = from(people)
            .groupBy(\.state)
            .having { $0.rowCount >= 1 }
            .select { ($0.state, $0.rowCount, $0.age.average, $0.age.maximum) }
            .orderBy(\.state)
        // page ends
        let rows = try file.read { try states.all(in: $0) }
        #expect(rows.map(\.0) == [.active, .retired])
        #expect(rows.map(\.1) == [2, 1])
        #expect(rows.map(\.2) == [43, 70])
        #expect(rows.map(\.3) == [50, 70])
    }

    private func several() throws {
        // page begins
        let places = from(people)
            .join(visits, on: { person, visit in visit.person == person.meta.id })
            .where(\.age > 30)
            .select { person, visit in (person.name.last, visit.place) }
        let likes = from(people).unnest(\.likes)
            .groupBy { _, like in like }
            .select { person, like in (like, person.rowCount) }
            .orderBy { _, like in like }
        let visitors = from(people).where { person in
            person.meta.id.in(from(visits).where { $0.place == "Turin" }.select(\.person))
        }
        // page ends
        try file.read { snapshot in
            let places = try places.all(in: snapshot)
            #expect(places.map(\.0) == ["Byron"])
            #expect(places.map(\.1) == ["Turin"])
            #expect(try likes.all(in: snapshot).map(\.1) == [1, 2])
            #expect(try visitors.all(in: snapshot).map(\.id) == ["ada"])
        }
    }

    private func parameters() throws {
        // page begins
        let older = from(people).where(\.age > parameter("least")).select(\.name.last)
        let names = try file.read { try older.all(in: $0, ["least": 60]) }
        // page ends
        #expect(names == ["Ek"])
    }

    private func untyped() throws {
        // page begins
        let anything = DocumentCollection(try CollectionName("people"))
        let lasts = from(anything)
            .where(property("age") > 30 && property("name.last").like("B%"))
            .select(property("name.last"), property("age", as: Int.self))
        let pets = from(people).where { $0.property("pets[0].name") == "Rex" }
        // page ends
        try file.read { snapshot in
            let ages = try lasts.all(in: snapshot).map(\.1)
            let found = try pets.all(in: snapshot)
            #expect(ages.sorted() == [36, 50])
            #expect(found.isEmpty)
        }
    }

    private func changes() throws {
        // page begins
        let birthday = update(people)
            .set(\.age) { $0.age + 1 }.set(\.state, to: .active).set(\.nick, to: nil)
            .where(\.name.last == "Byron")
        let forgotten = delete(from: people).where(\.age > 150)
        // page ends
        #expect(
            try birthday.sqlPlusPlus == "UPDATE people SET age = people.age + 1, state = 'active' "
                + "UNSET nickname WHERE people.name.last = 'Byron'")
        #expect(
            try forgotten.sqlPlusPlus == "DELETE FROM people WHERE people.age > 150")
    }

    private func tasks() async throws {
        // page begins
        for try await name in try file.rows(of: from(people).select(\.name.last)) {
            print(name)
        }
        let ages = try await file.all(of: from(people).select(\.age).orderBy(\.age))
        // page ends
        #expect(ages == [36, 50, 70])
    }

    @Test("the page has exactly these programs")
    func page() throws {
        let programs = try PagePrograms.inSource(URL(fileURLWithPath: #filePath))
        #expect(try programs == PagePrograms.onPage("query-builder.md"))
    }
}
