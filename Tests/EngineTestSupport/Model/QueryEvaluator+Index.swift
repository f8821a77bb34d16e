internal import FleeceLite
internal import QueryLanguage

// Operations that require an index or a model.
extension QueryEvaluator {
    /// Whether a document contains words: all of them, or those on one side of an `OR`. A word that
    /// ends in `*` stands for all words with that prefix.
    func match(_ index: String, _ words: QueryExpression, _ scope: ModelScope) throws -> ModelValue
    {
        let tokens = try self.tokens(index, scope)
        guard case .text(let query) = try value(words, scope) else {
            throw ModelError.unsupported("MATCH of a value that is not a string")
        }
        // A document without the property is not in the full-text table.
        guard let tokens else { return .boolean(false) }
        let alternatives = Self.alternatives(query.string)
        return .boolean(
            alternatives.contains { words in
                words.allSatisfy { word in tokens.contains { Self.isWord($0, word) } }
            })
    }

    private static func alternatives(_ query: String) -> [[String]] {
        var alternatives: [[String]] = [[]]
        for word in query.split(separator: " ").map(String.init) {
            if word == "OR" {
                alternatives.append([])
            } else {
                alternatives[alternatives.count - 1].append(word.lowercased())
            }
        }
        return alternatives
    }

    private static func isWord(_ token: String, _ word: String) -> Bool {
        word.hasSuffix("*") ? token.hasPrefix(word.dropLast()) : token == word
    }

    /// The words of the property of an index; nil if it is MISSING.
    private func tokens(_ index: String, _ scope: ModelScope) throws -> [String]? {
        let parts = index.split(separator: ".").map(String.init)
        guard let name = parts.last, let property = ModelIndexes.fullText[name] else {
            throw ModelError.failure("no full-text index \(index)")
        }
        let alias = parts.count > 1 ? [PropertyPath.Component.key(parts[0])] : []
        let value = try value(.property(PropertyPath(alias + [.key(property)])), scope)
        switch value {
        case .missing: return nil
        case .text(let text): return text.string.lowercased().split(separator: " ").map(String.init)
        case .integer(let number): return ["\(number)"]
        default: return []
        }
    }

    func prediction(
        _ model: QueryExpression, _ input: QueryExpression, _ property: PropertyPath?,
        _ scope: ModelScope
    ) throws -> ModelValue {
        let name = try value(model, scope)
        guard name == .text(ModelIndexes.Measure.name) else {
            throw ModelError.failure("no model \(name)")
        }
        let answer = ModelIndexes.Measure.answer(try value(input, scope))
        return answer.at(property?.components[...] ?? [])
    }
}
