import EngineTestSupport
import ExampleModels
import FleeceLite
import Foundation
import ProjectTestSupport
import QueryFunctions
import SQLCore
import SampleData
import Testing

/// The example's model with the weights it is shipped with.
@Suite("The example's model")
struct NewsletterModelTests {
    private static let weights = PackageDirectory.url.appending(
        path: "Examples/newsletter-model.json"
    ).path

    private let model: NewsletterModel

    init() throws {
        model = try NewsletterModel(contentsOf: Self.weights)
    }

    /// People that the model was not trained with.
    private func people(_ count: Int, _ test: String) throws -> [FleeceDictionary] {
        var random = SeededGenerator(printing: test)
        return try People(count: count, seed: random.next()).map {
            try #require(try FleeceDocument(json: $0).root.dictionary)
        }
    }

    /// Who is said to read the newsletter; `Scripts/train_people_model.py` has the same rule, and
    /// trained the model with labels that chance had changed.
    private func label(_ person: FleeceDictionary) throws -> String {
        let worth = [
            "reading": 3, "films": 2, "music": 1, "chess": 1, "painting": 1, "sailing": -1,
        ]
        let likes = try #require(person["likes"]?.array).compactMap(\.string)
        let years = 2026 - (try #require(person["memberSince"]?.string?.prefix(4)).doubleValue)
        let active: Double = person["active"]?.bool == true ? 2 : 0
        let score = try #require(person["score"]?.double)
        let interests = Double(likes.reduce(0) { $0 + (worth[$1] ?? 0) })
        let points = interests + active + score / 25 + min(years, 12) / 4
        return points >= 7.5 ? "yes" : points >= 5.5 ? "perhaps" : "no"
    }

    @Test("It is right for more than 92 of 100 unseen people; random choice would be 33")
    func accuracy() throws {
        let people = try people(3000, "NewsletterModelTests.accuracy")
        var right = 0
        var answers: [String: Int] = [:]
        for person in people {
            let answer = try #require(try model.predict(person)?["reader"]?.string)
            answers[answer, default: 0] += 1
            if try answer == label(person) { right += 1 }
        }
        let share = Double(right) / Double(people.count)
        print("NewsletterModelTests: right for \(share) of \(people.count)")
        #expect(share > 0.92)
        #expect(answers.keys.sorted() == ["no", "perhaps", "yes"])
        #expect(answers.values.allSatisfy { $0 > people.count / 5 })
    }

    @Test("Its confidence corresponds to its accuracy")
    func probability() throws {
        var sure = (right: 0, all: 0)
        var unsure = (right: 0, all: 0)
        for person in try people(2000, "NewsletterModelTests.probability") {
            let answer = try #require(try model.predict(person))
            let probability = try #require(answer["probability"]?.double)
            #expect((1.0 / 3...1).contains(probability))
            let isRight = try answer["reader"]?.string == label(person) ? 1 : 0
            if probability > 0.8 { sure = (sure.right + isRight, sure.all + 1) }
            if probability < 0.6 { unsure = (unsure.right + isRight, unsure.all + 1) }
        }
        #expect(sure.all > 100 && unsure.all > 100)
        #expect(Double(sure.right) / Double(sure.all) > 0.98)
        #expect(Double(unsure.right) / Double(unsure.all) < 0.95)
    }

    @Test("It depends on a person's interests, activity, score and years")
    func persons() throws {
        func reader(_ json: String) throws -> String? {
            let document = try FleeceDocument(json: json)
            return try model.predict(try #require(document.root.dictionary))?["reader"]?.string
        }
        #expect(
            try reader(
                #"{"active":true,"score":90,"memberSince":"2012-01-01","likes":["reading"]}"#)
                == "yes")
        #expect(
            try reader(#"{"active":false,"score":10,"memberSince":"2025-01-01","likes":["chess"]}"#)
                == "no")
        #expect(try reader(#"{"active":false,"score":10,"memberSince":"2025-01-01"}"#) == "no")
        #expect(try reader(#"{"score":10,"memberSince":"2025-01-01"}"#) == nil)
        #expect(try reader(#"{"active":false,"score":"10","memberSince":"2025-01-01"}"#) == nil)
        #expect(try reader(#"{"active":false,"score":10,"memberSince":"soon"}"#) == nil)
        #expect(try reader("{}") == nil)
    }

    @Test("Concurrent threads, each with its own connection, get the same predictions")
    func threads() async throws {
        PredictiveModels.register(model, as: "newsletter/threads")
        defer { PredictiveModels.unregister("newsletter/threads") }
        let people = try people(400, "NewsletterModelTests.threads").map { person in
            var encoder = FleeceEncoder()
            try encoder.write(MutableFleeceDictionary(person))
            return SQLValue.blob(try encoder.finish())
        }
        @Sendable func answers() throws -> [SQLValue] {
            let fixture = try PredictionFixture()
            return try people.map {
                try fixture.value("prediction('newsletter/threads', ?, '.probability')", [$0])
                    ?? .null
            }
        }
        async let first = answers()
        async let second = answers()
        let (one, other) = try await (first, second)
        #expect(one == other)
        #expect(one == (try answers()))
        #expect(Set(one).count > 100)
    }

    @Test("Invalid weights are rejected, with a message")
    func badWeights() throws {
        #expect(throws: FleeceError.self) { try NewsletterModel(json: "no JSON") }
        #expect(throws: DecodingError.self) { try NewsletterModel(json: "{}") }
        let good = try String(contentsOfFile: Self.weights, encoding: .utf8)
        let bad = good.replacingOccurrences(of: #""classes": ["no", "#, with: #""classes": ["#)
        let error = #expect(throws: NewsletterModelError.self) { try NewsletterModel(json: bad) }
        #expect(error?.description.contains("must be 2 numbers") == true)
        #expect(throws: (any Error).self) { try NewsletterModel(contentsOf: "/no/such/file") }
    }
}

extension Substring {
    fileprivate var doubleValue: Double { Double(self) ?? .nan }
}
