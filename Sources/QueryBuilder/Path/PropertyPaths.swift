internal import FleeceLite
internal import QueryLanguage
internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// Which key path of a type is which path in its documents.
///
/// Nothing in Swift says so. It is found out by what the type itself writes: a few samples of it,
/// made by its own `init(from:)`, are encoded, and so is what the key path reads in each; the path
/// is where the documents have just these values. So coding keys, nested containers and an
/// `encode(to:)` written by hand are right without more.
enum PropertyPaths {
    /// The path of a key path.
    ///
    /// Throws `.invalidQuery` if there is none, or it cannot be found out.
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
                "the paths of the properties of \(type) cannot be found out, because no sample of "
                    + "it can be made: \(ProbeError.reason(of: error)); let what is refused be "
                    + "QuerySampled or CaseIterable, or \(type) be QueryMapped",
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
        /// `PropertySamples` of the type.
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

/// How the values of a source are written and read, by which its properties are found and the
/// values that they are compared with are written.
struct PropertyCoding: Sendable {
    var encoder = FleeceRowEncoder()
    var decoder = FleeceRowDecoder.shared

    /// What tells two of them apart in what is remembered of types; nil if what the types ask for
    /// could tell them apart, too.
    var identity: Identity? {
        guard encoder.userInfo.isEmpty, decoder.userInfo.isEmpty else { return nil }
        return Identity(dates: encoder.dates, nils: encoder.nils)
    }

    struct Identity: Hashable, Sendable {
        let dates: FleeceRowEncoder.DateForm
        let nils: FleeceRowEncoder.NilForm
    }

    /// What a value is written as.
    func written(_ value: some Encodable) throws -> FleeceValue {
        try FleeceDocument(trusted: encoder.encode(value)).root
    }
}
