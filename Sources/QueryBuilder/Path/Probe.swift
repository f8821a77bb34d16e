internal import FleeceLite

/// Makes samples of a type: its `init(from:)` reads from a decoder that has a value for whatever it
/// asks for.
///
/// The scalar of each place in the type is another, and is another in each sample; of those that
/// have few values, such as Booleans, no two are the same in all samples.
final class Probe {
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// The number of the sample that is being made.
    private(set) var sample = 0
    /// The numbers of the places that scalars were asked for, by their paths.
    private var places: [String: Int] = [:]
    /// How many values may still be asked for.
    private var budget = 0
    /// The types around the place, whose values may hold each other.
    private var types: [ObjectIdentifier] = []
    /// Which of the forms of scalars is tried.
    private(set) var form = ProbeForm.allCases[0]
    /// Whether arrays and dictionaries are left empty, which ends a type that holds itself.
    private(set) var isEmpty = false

    init(userInfo: [CodingUserInfoKey: any Sendable]) {
        self.userInfo = userInfo
    }

    /// How many scalars were asked for.
    var count: Int { places.count }

    func sample<Value: Decodable>(_ type: Value.Type, _ number: Int) throws -> Value {
        sample = number
        budget = 20_000
        (types, form, isEmpty) = ([], ProbeForm.allCases[0], false)
        return try value(type, [])
    }

    /// The number of a place, from 1.
    func place(_ path: [any CodingKey]) -> Int {
        let name = path.map(\.stringValue).joined(separator: "\u{0}")
        if let number = places[name] { return number }
        places[name] = places.count + 1
        return places.count
    }

    func spend(_ path: [any CodingKey]) throws {
        budget -= 1
        if budget < 0 { throw ProbeError.tooLarge(path) }
    }

    /// Whether this sample has the other of two values at a place.
    func bit(_ place: Int) -> Bool { (place >> (sample % Int.bitWidth)) & 1 == 1 }

    /// A value of a type at a place.
    func value<Value: Decodable>(_ type: Value.Type, _ path: [any CodingKey]) throws -> Value {
        try spend(path)
        if let sample = try chosen(type, path) { return sample }
        let identity = ObjectIdentifier(type)
        guard path.count < 64, types.count(where: { $0 == identity }) < 2 else {
            throw ProbeError.holdsItself(type, path)
        }
        types.append(identity)
        defer { types.removeLast() }
        return try decoded(type, path)
    }

    /// Tries one form of scalars after the other, until the type takes them.
    private func decoded<Value: Decodable>(
        _ type: Value.Type, _ path: [any CodingKey]
    ) throws -> Value {
        let (outerForm, wasEmpty) = (form, isEmpty)
        defer { (form, isEmpty) = (outerForm, wasEmpty) }
        var firstError: (any Error)?
        for candidate in [outerForm] + ProbeForm.allCases.filter({ $0 != outerForm }) {
            form = candidate
            do {
                return try type.init(from: ProbeDecoder(probe: self, codingPath: path))
            } catch let error as ProbeError {
                guard case .holdsItself = error, !isEmpty else { throw error }
                isEmpty = true
                return try type.init(from: ProbeDecoder(probe: self, codingPath: path))
            } catch {
                firstError = firstError ?? error
            }
        }
        throw ProbeError.refused(type, path, firstError)
    }

    /// A value that is not made by decoding, nil if there is none.
    private func chosen<Value: Decodable>(
        _ type: Value.Type, _ path: [any CodingKey]
    ) throws -> Value? {
        if let scalar = try ProbeScalars.value(type, self, path) { return scalar }
        if let sampled = type as? any QuerySampled.Type {
            return sampled.sample(path.isEmpty ? sample : bit(place(path)) ? 1 : 0) as? Value
        }
        if let cases = type as? any CaseIterable.Type {
            return cases.element(bit(place(path)) ? 1 : 0) as? Value
        }
        if type is any RawRepresentable.Type {
            return SmallEnumeration.value(type, bit(place(path)) ? 1 : 0)
        }
        return nil
    }
}

extension QuerySampled {
    fileprivate static func sample(_ index: Int) -> Self? {
        let samples = querySamples
        guard !samples.isEmpty else { return nil }
        return samples[index % samples.count]
    }
}

extension CaseIterable {
    fileprivate static func element(_ index: Int) -> Self? {
        let cases = allCases
        return cases.isEmpty ? nil : Array(cases)[min(index, cases.count - 1)]
    }
}

/// Cases of an enumeration that does not list them.
enum SmallEnumeration {
    /// The first or second case of an enumeration whose cases hold nothing: they are numbered in
    /// one byte, in the order in which they are declared. Nil for other types.
    static func value<Value>(_ type: Value.Type, _ index: UInt8) -> Value? {
        guard MemoryLayout<Value>.size == 1 else { return nil }
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { place -> Value? in
            UnsafeMutableRawBufferPointer(place).initializeMemory(as: UInt8.self, repeating: index)
            guard let value = place.first,
                Mirror(reflecting: value).displayStyle == .enum,
                Mirror(reflecting: value).children.isEmpty
            else { return nil }
            return value
        }
    }
}

/// Why no sample of a type can be made.
enum ProbeError: Error {
    /// A type refused all values that were tried.
    case refused(any Any.Type, [any CodingKey], (any Error)?)
    /// A value would have to hold one of its own type, and so on without an end.
    case holdsItself(any Any.Type, [any CodingKey])
    /// It asks for more than can be.
    case tooLarge([any CodingKey])

    static func reason(of error: any Error) -> String {
        switch error as? ProbeError {
        case .refused(let type, let path, let error):
            let cause = error.map { ": \($0)" } ?? ""
            return "\(type)\(place(path)) refuses every value that was tried\(cause)"
        case .holdsItself(let type, let path): return "\(type)\(place(path)) holds itself"
        case .tooLarge(let path): return "there is no end of values\(place(path))"
        case nil: return "\(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "" : " at " + path.map(\.stringValue).joined(separator: ".")
    }
}
