internal import FleeceLite

/// Creates samples of a type: its `init(from:)` reads from a decoder that supplies a value for
/// every request.
///
/// Each scalar position in the type gets a distinct value, which also differs from sample to
/// sample. For types with few values, such as Booleans, no two positions are equal in all samples.
final class Probe {
    let userInfo: [CodingUserInfoKey: any Sendable]
    /// The number of the current sample.
    private(set) var sample = 0
    /// The numbers of the scalar positions, by their paths.
    private var positions: [String: Int] = [:]
    /// How many more values may be requested.
    private var budget = 0
    /// The enclosing types, whose values may contain each other.
    private var types: [ObjectIdentifier] = []
    /// The current form of scalars.
    private(set) var form = ProbeForm.allCases[0]
    /// Whether arrays and dictionaries are left empty, which terminates a recursive type.
    private(set) var isEmpty = false

    init(userInfo: [CodingUserInfoKey: any Sendable]) {
        self.userInfo = userInfo
    }

    /// The number of scalar positions.
    var count: Int { positions.count }

    func sample<Value: Decodable>(_ type: Value.Type, _ number: Int) throws -> Value {
        sample = number
        budget = 20_000
        (types, form, isEmpty) = ([], ProbeForm.allCases[0], false)
        return try value(type, [])
    }

    /// The number of a position, from 1.
    func position(_ path: [any CodingKey]) -> Int {
        let name = path.map(\.stringValue).joined(separator: "\u{0}")
        if let number = positions[name] { return number }
        positions[name] = positions.count + 1
        return positions.count
    }

    func spend(_ path: [any CodingKey]) throws {
        budget -= 1
        if budget < 0 { throw ProbeError.tooLarge(path) }
    }

    /// Which of two values this sample has at a position.
    func bit(_ position: Int) -> Bool { (position >> (sample % Int.bitWidth)) & 1 == 1 }

    /// A value of a type at a position.
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

    /// Tries the forms of scalars until the type accepts one.
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

    /// A value that is created without decoding; nil if there is none.
    private func chosen<Value: Decodable>(
        _ type: Value.Type, _ path: [any CodingKey]
    ) throws -> Value? {
        if let scalar = try ProbeScalars.value(type, self, path) { return scalar }
        if let sampled = type as? any QuerySampled.Type {
            return sampled.sample(path.isEmpty ? sample : bit(position(path)) ? 1 : 0) as? Value
        }
        if let cases = type as? any CaseIterable.Type {
            return cases.element(bit(position(path)) ? 1 : 0) as? Value
        }
        if type is any RawRepresentable.Type {
            return SmallEnumeration.value(type, bit(position(path)) ? 1 : 0)
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

/// Cases of an enumeration that is not `CaseIterable`.
enum SmallEnumeration {
    /// The first or second case of an enumeration without associated values, whose representation
    /// is one byte in declaration order. Nil for other types.
    static func value<Value>(_ type: Value.Type, _ index: UInt8) -> Value? {
        guard MemoryLayout<Value>.size == 1 else { return nil }
        return withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { memory -> Value? in
            UnsafeMutableRawBufferPointer(memory).initializeMemory(as: UInt8.self, repeating: index)
            guard let value = memory.first,
                Mirror(reflecting: value).displayStyle == .enum,
                Mirror(reflecting: value).children.isEmpty
            else { return nil }
            return value
        }
    }
}

/// The reason why a type has no sample.
enum ProbeError: Error {
    /// The type rejected all values that were tried.
    case refused(any Any.Type, [any CodingKey], (any Error)?)
    /// The type contains itself without end.
    case holdsItself(any Any.Type, [any CodingKey])
    /// The type requests too many values.
    case tooLarge([any CodingKey])

    static func reason(of error: any Error) -> String {
        switch error as? ProbeError {
        case .refused(let type, let path, let error):
            let cause = error.map { ": \($0)" } ?? ""
            return "\(type)\(location(path)) rejects all values that were tried\(cause)"
        case .holdsItself(let type, let path): return "\(type)\(location(path)) contains itself"
        case .tooLarge(let path): return "too many values are read\(location(path))"
        case nil: return "\(error)"
        }
    }

    private static func location(_ path: [any CodingKey]) -> String {
        path.isEmpty ? "" : " at " + path.map(\.stringValue).joined(separator: ".")
    }
}
