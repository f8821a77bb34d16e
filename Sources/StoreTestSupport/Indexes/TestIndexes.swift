package import DocumentStore
package import SampleData

/// Indexes of all kinds, and documents with and without entries in each.
package enum TestIndexes {
    /// Predicts the length of a name, and its number; nothing without a name.
    private struct Size: PredictiveModel {
        func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
            guard let name = input["name"]?.string else { return nil }
            var answer = MutableFleeceDictionary()
            answer["size"] = .int(Int64(name.utf8.count))
            if let number = input["n"]?.int { answer["next"] = .int(number &+ 1) }
            return .dictionary(answer)
        }
    }

    /// Registers the model that the indexes use.
    package static func registerModel() {
        PredictiveModels.register(Size(), as: "store test size")
    }

    /// Indexes of one collection; their names begin with `prefix`.
    package static func all(_ prefix: String) -> [IndexSpec] {
        let folded = #"[["COLLATE",{"UNICODE":true,"CASE":false,"DIAC":false},[".name"]]]"#
        let english = FullTextOptions(language: "en")
        return [
            .value(prefix + "number", on: "n"),
            .value(prefix + "two", on: "name, n"),
            .value(prefix + "array", on: "tags", where: "n IS NOT MISSING"),
            .value(prefix + "above", on: "name", where: "n > 3"),
            .value(prefix + "folded", on: .json(folded)),
            .fullText(prefix + "words", on: "text, name", english),
            .fullText(prefix + "someWords", on: "tags", where: "name = 'Anna'"),
            .array(prefix + "tags", path: "tags"),
            .array(prefix + "someTags", path: "tags", where: "n > 3"),
            .array(prefix + "groups", path: "groups", on: "name"),
            .array(prefix + "nested", path: "groups[].tags"),
            .predictive(
                prefix + "size",
                on: "prediction('store test size', {'name': name, 'n': n}, .size)"),
            .predictive(
                prefix + "next",
                on: "prediction('store test size', {'name': name, 'n': n}, .next)"),
            .predictive(
                prefix + "answer", on: "prediction('store test size', {'name': name})",
                where: "n > 3"),
            .vector(prefix + "near", on: "point", VectorIndexOptions(dimensions: 2)),
        ]
    }

    /// Creates the indexes in a collection.
    package static func create(
        _ prefix: String, of collection: DocumentCollection, in transaction: Transaction
    ) throws {
        for spec in all(prefix) { _ = try collection.createIndex(spec, in: transaction) }
    }
}

// Documents.
extension TestIndexes {
    /// A vector that follows from the other properties; for some of them none, or another value.
    private static func point(_ members: [String: String]) -> String? {
        let sum = members.values.reduce(0) { $0 + $1.utf8.reduce(0) { $0 + Int($1) } }
        return switch sum % 5 {
        case 0: nil
        case 1: "[1]"
        case 2: "\"x\""
        default: "[\(sum % 100),-1.5]"
        }
    }

    /// Properties as their JSON: `name`, `tags` and `groups`, each of which may be missing.
    package static func members(_ random: inout SeededGenerator) -> [String: String] {
        var members: [String: String] = [:]
        if random.below(100) < 85 {
            members["name"] = random.pick([
                #""Anna""#, #""Anna""#, #""anna""#, #""Ánna""#, #""ANNA""#, #""Zoë""#, #""zoe""#,
                #""Ärger""#, #""東京""#, #""""#, "5", "null",
            ])
        }
        if random.below(100) < 75 { members["tags"] = tags(&random) }
        if random.below(100) < 60 {
            let groups = (0..<random.below(4)).map { number in
                let tags = random.below(4) > 0 ? #","tags":\#(tags(&random))"# : ""
                return #"{"name":"group \#(number % 2)"\#(tags)}"#
            }
            members["groups"] = "[\(groups.joined(separator: ","))]"
        }
        members["point"] = point(members)
        return members
    }

    private static func tags(_ random: inout SeededGenerator) -> String {
        switch random.below(20) {
        case 0: return #""single""#
        case 1: return #"{"first":"red","second":[7]}"#
        case 2: return "null"
        default: break
        }
        let elements = (0..<random.below(5)).map { _ in
            random.pick([
                #""red""#, #""dark blue""#, #""Houses""#, "1", "-2.5", "true", "false", "null",
                "[1,[2]]", #"{"a":"b"}"#, #""""#,
            ])
        }
        return "[\(elements.joined(separator: ","))]"
    }

    /// A body of Fleece with all indexed properties.
    static func body(_ random: inout SeededGenerator) -> [UInt8] {
        var members = members(&random)
        if random.below(100) < 80 {
            members["n"] = random.pick([
                "3", "4", "-7", "4.5", "17", "9007199254740993", "null", "true", #""text""#,
                #"{"a":1}"#,
            ])
        }
        if random.below(100) < 80 {
            let words = (0..<random.below(12)).map { _ in
                random.pick([
                    "running", "runs", "the", "house", "Houses", "Über", "uber", "naïve", "and",
                    "O'Neil", "x1", "1234", "a-b", "e\u{301}t\u{e9}",
                ])
            }
            members["text"] = "\"\(words.joined(separator: " "))\""
        }
        let pairs = members.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        var encoder = FleeceEncoder()
        let json = "{\(pairs.joined(separator: ","))}"
        guard (try? encoder.writeJSON(json)) != nil else { return [] }
        return (try? encoder.finish()) ?? []
    }
}
