public import DocumentStore
internal import Foundation

/// Guesses whether one of `SampleData`'s people reads the newsletter: a softmax regression, whose
/// weights are in `Examples/newsletter-model.json`.
///
/// ```swift
/// PredictiveModels.register(
///     try NewsletterModel(contentsOf: "Examples/newsletter-model.json"), as: "newsletter")
/// ```
/// The people are made up, and so is who reads what: `Scripts/train_people_model.py` says how, and
/// how often the model is right. What is real is the way from a document to an answer.
public struct NewsletterModel: PredictiveModel {
    private let classes: [String]
    private let year: Double
    private let bias: [Double]
    private let active: [Double]
    private let score: [Double]
    private let years: [Double]
    private let likes: [String: [Double]]

    /// A model of these weights, as the script writes them.
    ///
    /// Throws `FleeceError` for what is not JSON, `DecodingError` where something is missing or of
    /// another type, `NewsletterModelError` for weights that do not fit together.
    public init(json: String) throws {
        let document = try FleeceDocument(json: json)
        let file = try FleeceRowDecoder().decode(WeightsFile.self, from: document.root)
        classes = file.classes
        year = file.year
        bias = try file.row(file.bias, "bias")
        active = try file.row(file.weights["active"], "active")
        score = try file.row(file.weights["score"], "score")
        years = try file.row(file.weights["years"], "years")
        var likes: [String: [Double]] = [:]
        for (name, row) in file.weights where name.hasPrefix("likes ") {
            likes[String(name.dropFirst("likes ".count))] = try file.row(row, name)
        }
        self.likes = likes
    }

    /// A model of the weights in a file, of which the same is true.
    ///
    /// Throws also what `String(contentsOfFile:encoding:)` does where there is no such file.
    public init(contentsOf path: String) throws {
        try self.init(json: String(contentsOfFile: path, encoding: .utf8))
    }

    /// The likeliest answer and how likely it is: `{"reader": "yes", "probability": 0.93}`.
    ///
    /// - Parameter input: `active`, `score`, `memberSince` and `likes` of a person; the likes may
    ///   be missing.
    /// - Returns: nil for what is no person.
    public func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
        guard let probabilities = probabilities(input),
            let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] })
        else { return nil }
        return [
            "reader": .string(classes[best]),
            // Machines differ in the last digits, indexes shall not.
            "probability": .double((probabilities[best] * 10_000).rounded() / 10_000),
        ]
    }

    /// How likely each class is; nil for what is no person.
    private func probabilities(_ input: FleeceDictionary) -> [Double]? {
        guard let isActive = input["active"]?.bool, let points = input["score"]?.double,
            let since = input["memberSince"]?.string, let began = Double(since.prefix(4)),
            points.isFinite, began.isFinite
        else { return nil }
        var sums = bias
        add(active, times: isActive ? 1 : 0, to: &sums)
        add(score, times: points / 100, to: &sums)
        add(years, times: (year - began) / 16, to: &sums)
        input["likes"]?.array?.forEach { like in
            if let row = like.string.flatMap({ likes[$0] }) { add(row, times: 1, to: &sums) }
        }
        return softmax(sums)
    }

    private func add(_ row: [Double], times factor: Double, to sums: inout [Double]) {
        for index in sums.indices { sums[index] += factor * row[index] }
    }

    private func softmax(_ sums: [Double]) -> [Double] {
        let largest = sums.max() ?? 0
        let powers = sums.map { exp($0 - largest) }
        let total = powers.reduce(0, +)
        return powers.map { $0 / total }
    }
}

/// Weights that are no model.
public struct NewsletterModelError: Error, CustomStringConvertible {
    /// What is wrong with which of them.
    public let description: String
}

/// The file as it stands.
private struct WeightsFile: Decodable {
    var classes: [String]
    var year: Double
    var bias: [Double]
    var weights: [String: [Double]]

    /// A row that has a number for each class.
    func row(_ row: [Double]?, _ name: String) throws -> [Double] {
        guard let row, !row.isEmpty, row.count == classes.count else {
            throw NewsletterModelError(
                description: "the weights of \"\(name)\" must be \(classes.count) numbers, one for "
                    + "each class")
        }
        return row
    }
}
