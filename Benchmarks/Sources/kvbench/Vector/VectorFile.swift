import Foundation

/// Vectors in a file, one after the other, as single-precision numbers.
struct VectorFile: @unchecked Sendable {
    // Unchecked: the mapped bytes do not change.
    private let bytes: Data
    private let dimensions: Int

    init(_ path: String, _ dimensions: Int) throws {
        bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        self.dimensions = dimensions
    }

    var count: Int { bytes.count / (4 * dimensions) }

    /// The bytes of a vector.
    subscript(index: Int) -> [UInt8] {
        Array(bytes[(index * 4 * dimensions)..<((index + 1) * 4 * dimensions)])
    }

    /// The numbers of a vector.
    func numbers(_ index: Int) -> [Float] {
        self[index].withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
}
