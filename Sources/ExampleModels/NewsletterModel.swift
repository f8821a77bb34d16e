public import DocumentStore
internal import Foundation

/// Predicts whether one of `SampleData`'s people reads the newsletter: a softmax regression with
/// the weights in `Examples/newsletter-model.json`.
///
/// ```swift
/// let model = try NewsletterModel(contentsOf: "Examples/newsletter-model.json")
/// PredictiveModels.register(model, as: "newsletter")
/// let readers = try Query(
///     """
///     SELECT META().id FROM _ WHERE PREDICTION('newsletter', {'active': active,
///         'score': score, 'memberSince': memberSince, 'likes': likes}, .reader) = 'yes'
///     """)
/// ```
///
/// The people and their preferences are synthetic: `Scripts/train_people_model.py` documents the
/// data and the accuracy. The steps from a document to a prediction are those of a real model.
public struct NewsletterModel: PredictiveModel {
    private let classes: [String]
    private let year: Double
    private let bias: [Double]
    private let active: [Double]
    private let score: [Double]
    private let years: [Double]
    private let likes: [String: [Double]]

    /// Creates a model from weights in the format written by the script.
    ///
    /// - Parameter json: a JSON object with `classes`, `year`, `bias` and `weights`.
    /// - Throws: `FleeceError` if the input is not JSON, `DecodingError` if something is missing or
    ///   has another type, and ``NewsletterModelError`` if the weights do not fit together.
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

    /// Creates a model from the weights in a file.
    ///
    /// - Parameter path: the path of a file of UTF-8, relative to the current directory or
    ///   absolute.
    /// - Throws: the errors of ``init(json:)``, and those of `String(contentsOfFile:encoding:)` if
    ///   the file cannot be read.
    public init(contentsOf path: String) throws {
        try self.init(json: String(contentsOfFile: path, encoding: .utf8))
    }

    /// Returns the likeliest class and its probability: `{"reader": "yes", "probability": 0.93}`.
    ///
    /// ```swift
    /// let model = try NewsletterModel(contentsOf: "Examples/newsletter-model.json")
    /// let person = try FleeceDocument(
    ///     json: "{\"active\": true, \"score\": 80, \"memberSince\": \"2019-05-01\"}")
    /// let prediction = try person.root.dictionary.flatMap { try model.predict($0) }
    /// ```
    ///
    /// The probability is rounded to four digits, since machines differ in the last ones, and
    /// indexes must not.
    ///
    /// - Parameter input: `active`, `score`, `memberSince` and `likes` of a person; the likes may
    ///   be missing.
    /// - Returns: nil if the input is not a person.
    public func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? {
        guard let probabilities = probabilities(input),
            let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] })
        else { return nil }
        return [
            "reader": .string(classes[best]),
            // Machines differ in the last digits; indexes must not.
            "probability": .double((probabilities[best] * 10_000).rounded() / 10_000),
        ]
    }

    /// The probability of each class; nil if the input is not a person.
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

/// The weights do not form a model, for example because a row has not one number for each class.
public struct NewsletterModelError: Error, CustomStringConvertible {
    /// Which weights are wrong, and why.
    public let description: String
}

/// The contents of the file.
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
