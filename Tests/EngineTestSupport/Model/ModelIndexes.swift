internal import DataFileCore
internal import FleeceLite
internal import QueryEngine
internal import QueryFunctions

/// Indexes of every kind on the documents of `ModelDocuments`, which many queries can use.
enum ModelIndexes {
    /// The model of a predictive index: the length of a string and whether it has capital letters;
    /// nothing for other values.
    struct Measure: PredictiveModel {
        static let name = "query model measure"

        func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
            guard case .object(let answer) = Self.answer(ModelValue(.dictionary(input))) else {
                return nil
            }
            var result = MutableFleeceDictionary()
            for (key, value) in answer {
                switch value {
                case .integer(let number): result[key.string] = .int(number)
                case .boolean(let bool): result[key.string] = .bool(bool)
                default: break
                }
            }
            return .dictionary(result)
        }

        static func answer(_ input: ModelValue) -> ModelValue {
            guard case .text(let text) = input.at([.key("text")]) else { return .missing }
            let isLoud = text.utf8.contains { $0 >= 0x41 && $0 <= 0x5A }
            return .object([
                "size": .integer(Int64(text.utf8.count)), "loud": .boolean(isLoud),
            ])
        }
    }

    /// The properties of the full-text indexes, by their names.
    static let fullText: [String: String] = ["byWords": "words"]

    private static let noCase = #"[["COLLATE",{"CASE":false},[".text"]]]"#

    /// Indexes by the full names of collections.
    static let all: [String: [IndexSpec]] = [
        ModelDocuments.things: [
            .value("byKind", on: "kind"), .value("bySmall", on: "small"),
            .value("byFlag", on: "flag"), .value("byMixed", on: "mixed"), .value("byN", on: "n"),
            .value("byCity", on: "`where`.city"), .value("byDotted", on: "`a.b`"),
            .value("byKindAndSmall", on: "kind, small"),
            .value("byItem", on: "item"), .value("byText", on: "text"),
            .value("byTextNoCase", on: .json(noCase)),
            .value("byUpper", on: "upper(kind)"),
            .value("byCountOfList", on: "array_length(list)"),
            .value("byPositive", on: "kind", where: "small > 0"),
            .value("byEvenX", on: "`where`.at.x", where: "even = TRUE"),
            .fullText("byWords", on: "words"),
            .array("byList", path: "list"), .array("byParts", path: "parts", on: "q"),
            .array("byPartsP", path: "parts", on: "p, q"), .array("byWholeParts", path: "parts"),
            .array("byTags", path: "parts[].tags"),
            .predictive("bySize", on: "prediction('query model measure', {'text': text}, .size)"),
            .predictive("byAnswer", on: "prediction('query model measure', {'text': text})"),
        ],
        ModelDocuments.items: [
            .value("itemsByKind", on: "kind"), .value("itemsByPrice", on: "price"),
            .array("itemsByTag", path: "tags"),
        ],
        ModelDocuments.orders: [
            .value("ordersByItem", on: "item"), .value("ordersByCount", on: "count, rush"),
        ],
    ]
}

extension ModelStore {
    /// Creates indexes of every kind.
    package func createIndexes() throws {
        try file.write { transaction in
            for (name, specs) in ModelIndexes.all {
                let collection = try Self.collection(name)
                for spec in specs { _ = try collection.createIndex(spec, in: transaction) }
            }
        }
        hasIndexes = true
    }
}
