import Foundation
import Testing

extension Command.Outcome {
    /// The JSON object on standard output.
    func answer(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
        try #require(
            JSONSerialization.jsonObject(with: standardOutput) as? [String: Any],
            sourceLocation: sourceLocation)
    }
}

extension [String: Any] {
    /// A property that is a list of objects; none if it is something else.
    func list(_ name: String) -> [[String: Any]] { self[name] as? [[String: Any]] ?? [] }
}
