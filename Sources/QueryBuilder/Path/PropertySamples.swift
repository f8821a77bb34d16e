internal import FleeceLite
internal import QueryLanguage
internal import StoreFormat

/// Samples of a type, and the documents that they are written as.
struct PropertySamples<Root: Codable & Sendable>: Sendable {
    private let values: [Root]
    private let documents: [FleeceValue]

    init(_ coding: PropertyCoding) throws {
        let probe = Probe(userInfo: coding.decoder.userInfo)
        var values = [try probe.sample(Root.self, 0)]
        // A Boolean, or one of two cases, is told from n others by log2(n) samples.
        let count = 3 + (UInt.bitWidth - UInt(probe.count + 1).leadingZeroBitCount)
        for number in 1..<count { values.append(try probe.sample(Root.self, number)) }
        self.values = values
        documents = try values.map { try coding.written($0) }
    }

    /// The path where the documents have what a key path reads.
    ///
    /// Throws `.invalidQuery` if there is none.
    func path<Value: Encodable>(
        of keyPath: KeyPath<Root, Value>, _ coding: PropertyCoding
    ) throws -> [PropertyPath.Component] {
        let read: [FleeceValue]
        do {
            read = try values.map { try coding.written($0[keyPath: keyPath]) }
        } catch {
            throw StoreError.invalidQuery(
                "what \(keyPath) reads cannot be written", underlying: error)
        }
        guard let found = places(of: read).min(by: { $0.count < $1.count }) else {
            throw missing(keyPath, read)
        }
        return found
    }

    private func places(of read: [FleeceValue]) -> [[PropertyPath.Component]] {
        var places: [[PropertyPath.Component]] = []
        documents[0].visitPaths([]) { path, value in
            if value == read[0] { places.append(path) }
        }
        return places.filter { place in
            zip(documents, read).allSatisfy { document, value in
                document[PropertyPath(place)].map { $0 == value } ?? value.isNull
            }
        }
    }

    private func missing(_ keyPath: AnyKeyPath, _ read: [FleeceValue]) -> StoreError {
        let differs = read.contains { $0 != read[0] }
        let reason =
            differs
            ? "no property of the documents has the value that it reads: it is computed, or is "
                + "written in another form than its type has by itself"
            : "it is the same in all samples: it is not read from documents"
        return StoreError.invalidQuery(
            "\(keyPath) is no property of the documents of \(Root.self): \(reason); ask for a "
                + "property that is written, or for one by its path: property(\"…\")")
    }
}

extension FleeceValue {
    /// Calls `body` with the value and all in dictionaries inside, and their paths.
    fileprivate func visitPaths(
        _ path: [PropertyPath.Component], _ body: ([PropertyPath.Component], FleeceValue) -> Void
    ) {
        body(path, self)
        guard let dictionary else { return }
        for (key, value) in dictionary { value.visitPaths(path + [.key(key)], body) }
    }
}
