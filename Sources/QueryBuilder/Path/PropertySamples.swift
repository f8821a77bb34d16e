internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

/// Samples of a type, and their encoded documents.
struct PropertySamples<Root: Codable & Sendable>: Sendable {
    private let values: [Root]
    private let documents: [FleeceValue]

    init(_ coding: PropertyCoding) throws {
        let probe = Probe(userInfo: coding.decoder.userInfo)
        var values = [try probe.sample(Root.self, 0)]
        // log2(n) samples distinguish n positions with two values each.
        let count = 3 + (UInt.bitWidth - UInt(probe.count + 1).leadingZeroBitCount)
        for number in 1..<count { values.append(try probe.sample(Root.self, number)) }
        self.values = values
        documents = try values.map { try coding.written($0) }
    }

    /// The path where the documents contain the value that a key path reads.
    ///
    /// - Throws: `.invalidQuery` if there is none.
    func path<Value: Encodable>(
        of keyPath: KeyPath<Root, Value>, _ coding: PropertyCoding
    ) throws -> [PropertyPath.Component] {
        let read: [FleeceValue]
        do {
            read = try values.map { try coding.written($0[keyPath: keyPath]) }
        } catch {
            throw StoreError.invalidQuery(
                "the value of \(keyPath) cannot be encoded", underlying: error)
        }
        guard let found = paths(of: read).min(by: { $0.count < $1.count }) else {
            throw missing(keyPath, read)
        }
        return found
    }

    private func paths(of read: [FleeceValue]) -> [[PropertyPath.Component]] {
        var paths: [[PropertyPath.Component]] = []
        documents[0].visitPaths([]) { path, value in
            if value == read[0] { paths.append(path) }
        }
        return paths.filter { path in
            zip(documents, read).allSatisfy { document, value in
                document[PropertyPath(path)].map { $0 == value } ?? value.isNull
            }
        }
    }

    private func missing(_ keyPath: AnyKeyPath, _ read: [FleeceValue]) -> StoreError {
        let differs = read.contains { $0 != read[0] }
        let reason =
            differs
            ? "no property of the documents has its value: it is computed, or it is encoded in "
                + "another form than the encoding of its type"
            : "it has the same value in all samples: it is not decoded"
        return StoreError.invalidQuery(
            "\(keyPath) is not a property of the documents of \(Root.self): \(reason); use an "
                + "encoded property, or a path: property(\"…\")")
    }
}

extension FleeceValue {
    /// Calls `body` with the value and all values in nested dictionaries, and their paths.
    fileprivate func visitPaths(
        _ path: [PropertyPath.Component], _ body: ([PropertyPath.Component], FleeceValue) -> Void
    ) {
        body(path, self)
        guard let dictionary else { return }
        for (key, value) in dictionary { value.visitPaths(path + [.key(key)], body) }
    }
}
