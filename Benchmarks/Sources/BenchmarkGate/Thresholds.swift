import Foundation

/// The recorded costs of the kernels, with one compiler on one architecture.
public struct Thresholds: Codable, Sendable, Equatable {
    /// The version of the file's format that this code reads and writes.
    public static let currentFormat = 1

    /// The version of the file's format.
    public var format = Self.currentFormat
    /// The costs by the names of the kernels.
    public var kernels: [String: KernelCost]
    /// The version of the SQLite library with which they were measured.
    public var sqlite: String

    /// Creates thresholds from the costs of kernels.
    public init(kernels: [String: KernelCost], sqlite: String) {
        self.kernels = kernels
        self.sqlite = sqlite
    }

    /// The name of the file for a compiler, as `swift-6.3-x86_64.json`.
    public static func fileName(compiler: String, architecture: String) -> String {
        "\(compiler)-\(architecture).json"
    }

    /// Reads a file; nil if it does not exist.
    ///
    /// Throws `GateError` if the file does not contain thresholds.
    public init?(contentsOf path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw GateError("\(path) cannot be read")
        }
        try self.init(json: data, from: path)
    }

    /// The path of the file of the newest compiler in a directory; nil if there is none, or the
    /// directory does not exist.
    ///
    /// The compiler's version decides, since the times of files are arbitrary in a checkout.
    public static func newest(in directory: String) -> String? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let files = names.filter { $0.hasPrefix("swift-") && $0.hasSuffix(".json") }
        // Digits are compared as numbers, so that 6.10 is newer than 6.9.
        let newest = files.max { $0.compare($1, options: .numeric) == .orderedAscending }
        return newest.map { "\(directory)/\($0)" }
    }

    /// Parses the JSON of a file, whose path is part of errors.
    public init(json: Data, from path: String) throws {
        let again = "take it from the repository, or write it again with --update"
        do {
            self = try JSONDecoder().decode(Thresholds.self, from: json)
        } catch {
            throw GateError("\(path) does not contain thresholds: \(again)")
        }
        guard format == Self.currentFormat else {
            throw GateError("\(path) has format \(format), not \(Self.currentFormat): \(again)")
        }
        if let bad = kernels.keys.sorted().first(where: { kernels[$0]?.isSound != true }) {
            throw GateError("\(path) has impossible figures for \(bad): \(again)")
        }
    }

    /// The contents of the file: equal figures give equal bytes.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        return try encoder.encode(self) + Data("\n".utf8)
    }

    /// The old thresholds with the measured costs.
    ///
    /// - Parameter isAll: whether all kernels were measured; other kernels are then removed.
    ///
    /// Throws `GateError` if a part was measured with another SQLite than the rest.
    public static func updated(
        _ old: Thresholds?, with measured: [MeasuredKernel], isAll: Bool, sqlite: String
    ) throws -> Thresholds {
        let new = Dictionary(measured.map { ($0.name, $0.cost) }) { $1 }
        guard let old, !isAll else { return Thresholds(kernels: new, sqlite: sqlite) }
        guard old.sqlite == sqlite else {
            throw GateError(
                "the thresholds are for SQLite \(old.sqlite), this is \(sqlite): "
                    + "update all of them, without --only")
        }
        return Thresholds(kernels: old.kernels.merging(new) { $1 }, sqlite: sqlite)
    }
}
