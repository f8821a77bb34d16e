internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Maps key paths of a type to property paths of its documents.
///
/// Swift has no such mapping, so it is derived from what the type encodes: a few samples, created
/// by its own `init(from:)`, are encoded, and so is the value that the key path reads from each.
/// The property path is where the encoded samples contain these values. Coding keys, nested
/// containers and a hand-written `encode(to:)` therefore work.
enum PropertyPaths {
    /// Returns the property path of a key path.
    ///
    /// - Throws: `.invalidQuery` if there is none, or it cannot be determined.
    static func path<Root: Codable & Sendable, Value: Encodable>(
        of keyPath: KeyPath<Root, Value>, _ coding: PropertyCoding
    ) throws -> [PropertyPath.Component] {
        if let known = listed(keyPath) { return known }
        guard let identity = coding.identity else {
            return try samples(of: Root.self, coding).path(of: keyPath, coding)
        }
        let key = Key(type: ObjectIdentifier(Root.self), coding: identity)
        let known = types.withLock { $0[key] }
        if let path = known?.paths[keyPath] { return path }
        let samples = try known?.samples as? PropertySamples<Root> ?? samples(of: Root.self, coding)
        let path = try samples.path(of: keyPath, coding)
        types.withLock {
            $0[key, default: Known(samples: samples)].paths[keyPath] = path
        }
        return path
    }

    private static func samples<Root: Codable & Sendable>(
        of type: Root.Type, _ coding: PropertyCoding
    ) throws -> PropertySamples<Root> {
        do {
            return try PropertySamples(coding)
        } catch {
            throw StoreError.invalidQuery(
                "the paths of the properties of \(type) cannot be determined, because no sample of "
                    + "it can be created: \(ProbeError.reason(of: error)); make the rejected type "
                    + "QuerySampled or CaseIterable, or \(type) QueryMapped",
                underlying: error)
        }
    }

    private static func listed<Root: Codable>(
        _ keyPath: PartialKeyPath<Root>
    ) -> [PropertyPath.Component]? {
        guard let type = Root.self as? any QueryMapped.Type,
            let text = type.path(listedFor: keyPath)
        else { return nil }
        return try? PropertyPath(parsing: text).components
    }

    private struct Key: Hashable {
        let type: ObjectIdentifier
        let coding: PropertyCoding.Identity
    }

    private struct Known {
        /// The `PropertySamples` of the type.
        let samples: any Sendable
        var paths: [AnyKeyPath: [PropertyPath.Component]] = [:]
    }

    private static let types = Locked<[Key: Known]>([:])
}

extension QueryMapped {
    fileprivate static func path(listedFor keyPath: AnyKeyPath) -> String? {
        queryPaths.first { $0.key == keyPath }?.value
    }
}

/// The encoder and decoder of a source, which determine the paths of its properties and the form of
/// the values that they are compared with.
struct PropertyCoding: Sendable {
    var encoder = FleeceRowEncoder()
    var decoder = FleeceRowDecoder.shared

    /// Identifies the coding in the cache of types; nil if the types could encode differently in a
    /// way that this does not capture.
    var identity: Identity? {
        guard encoder.userInfo.isEmpty, decoder.userInfo.isEmpty else { return nil }
        return Identity(dates: encoder.dates, nils: encoder.nils)
    }

    struct Identity: Hashable, Sendable {
        let dates: FleeceRowEncoder.DateForm
        let nils: FleeceRowEncoder.NilForm
    }

    /// Encodes a value.
    func written(_ value: some Encodable) throws -> FleeceValue {
        try FleeceDocument(trusted: encoder.encode(value)).root
    }
}
