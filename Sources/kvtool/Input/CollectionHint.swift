internal import DocumentStore

/// What may have been meant by the name of a collection that is not there.
enum CollectionHint {
    /// What such errors say before the name.
    private static let phrases = ["has no collection ", "there is no collection "]
    /// The most collections that a message names.
    private static let maximumNames = 8

    /// Runs `body`; an error about a collection that is not there says which may have been meant.
    static func adding<T>(in snapshot: Snapshot, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError where error.has(.notFound) {
            guard let hint = hint(error.message, snapshot) else { throw error }
            throw StoreError(.notFound, error.message + hint)
        } catch let error as ToolError where error.status == .notFound {
            guard let hint = hint(error.message, snapshot) else { throw error }
            throw ToolError(error.message + hint, status: .notFound)
        }
    }

    private static func hint(_ message: String, _ snapshot: Snapshot) -> String? {
        guard let phrase = phrases.compactMap({ message.firstRange(of: $0) }).first,
            let names = try? snapshot.collectionNames().map(\.description)
        else { return nil }
        let name = String(message[phrase.upperBound...])
        // Advice follows the name already.
        guard !name.contains(";") else { return nil }
        if let other = nearest(to: name, among: names) {
            return "; did you mean \(Text.line(other))?"
        }
        let shown = names.prefix(maximumNames).map { Text.line($0) }.joined(separator: ", ")
        let rest = names.count > maximumNames ? " and \(names.count - maximumNames) more" : ""
        return "; there \(names.count == 1 ? "is" : "are") \(shown)\(rest)"
    }

    /// The same name in another case, or in another scope, or one that is nearly the same.
    private static func nearest(to name: String, among names: [String]) -> String? {
        func last(_ name: String) -> Substring { name.split(separator: ".").last ?? "" }
        let lowercase = name.lowercased()
        return names.first { $0.lowercased() == lowercase }
            ?? names.first { last($0.lowercased()) == last(lowercase) }
            ?? EditDistance.nearest(to: name, among: names)
    }
}
