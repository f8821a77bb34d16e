internal import Replication

/// The revisions before one, as the property `history` of `rev` has them: without the revision
/// itself, which is in `rev`.
enum RevisionHistory {
    /// The ancestors that a receiver asks for if it does not say how many it wants.
    static let usualLength = 50

    /// The property of a document that is sent; nil if there are none.
    ///
    /// A tree's ends with the first revision that the receiver has, which is added if the length is
    /// reached before.
    static func property(
        of document: RemoteDocument, known: [String], maximumLength: Int
    ) -> String? {
        guard !document.history.isEmpty else { return nil }
        guard !document.revision.utf8.contains(UInt8(ascii: "@")) else {
            return vectorProperty(document.history, document.revision)
        }
        let ancestors = document.history.split(separator: ",").dropFirst()
        guard !ancestors.isEmpty else { return nil }
        let end = ancestors.firstIndex { known.contains(String($0)) }
        var sent = ancestors[...(end ?? ancestors.endIndex - 1)].prefix(max(maximumLength - 1, 0))
        // What is left out is not consecutive, which receivers accept.
        if let end, sent.endIndex <= end { sent = sent.dropLast() + [ancestors[end]] }
        return sent.isEmpty ? nil : sent.joined(separator: ",")
    }

    /// Whether the generations of a tree's revisions fall by one. The last one may be farther away,
    /// where a sender has left others out.
    static func isConsecutive(_ history: String) -> Bool {
        guard !history.utf8.contains(UInt8(ascii: "@")) else { return true }
        let generations = history.split(separator: ",").map { revision in
            UInt64(revision.prefix { $0 != "-" }) ?? 0
        }
        let pairs = zip(generations, generations.dropFirst())
        return pairs.allSatisfy { $0 > $1 } && pairs.dropLast().allSatisfy { $0 - $1 == 1 }
    }

    /// What follows the first version of a vector; a `;` after the first is understood.
    private static func vectorProperty(_ vector: String, _ revision: String) -> String? {
        let rest = vector.utf8.dropFirst(revision.utf8.count)
        let versions = rest.drop { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") }
            .drop { $0 == UInt8(ascii: " ") }
        return versions.isEmpty ? nil : String(Substring(versions))
    }

    /// The history of a document that was received, as `RemoteDocument.history` has it.
    static func text(revision: String, property: String?) -> String {
        guard let property, !property.isEmpty else { return "" }
        if revision.utf8.contains(UInt8(ascii: "@")) {
            let isMerged = property.utf8.contains(UInt8(ascii: ";"))
            return revision + (isMerged ? ", " : "; ") + property
        }
        return revision + "," + property.filter { $0 != " " }
    }
}
