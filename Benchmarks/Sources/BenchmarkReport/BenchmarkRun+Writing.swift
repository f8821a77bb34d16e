internal import Foundation

extension BenchmarkRun {
    /// Writes the results as JSON, one key per line, sorted, so that files can be compared.
    public func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}
