/// What bringing a part of a collection's documents to a newer way of keeping revisions did.
package struct RevisionUpgrade: Hashable, Sendable {
    /// A document that stays as it is.
    package struct Kept: Hashable, Sendable {
        package let key: String
        /// Why, as one line.
        package let reason: String
    }

    /// How many documents were looked at.
    package internal(set) var lookedAt = 0
    /// How many were converted.
    package internal(set) var converted = 0
    /// How many have to stay as they are.
    package internal(set) var kept = 0
    /// Some of those.
    package internal(set) var examples: [Kept] = []
    /// Where to go on; nil when all have been looked at.
    package internal(set) var lastKey: String?

    /// The most examples.
    package static let maximumExamples = 20

    mutating func keep(_ key: String, _ reason: String) {
        kept += 1
        if examples.count < Self.maximumExamples { examples.append(Kept(key: key, reason: reason)) }
    }
}
