import Testing

import FleeceLite

@Suite("Deltas: the cases of jsondiffpatch")
struct DeltaGoldenTests {
    /// A case: values and deltas that may be missing.
    private struct Case {
        let left: FleeceValue?
        let right: FleeceValue?
        let delta: FleeceValue?
        let reverse: FleeceValue?

        init?(_ value: FleeceValue) {
            guard let dictionary = value.dictionary else { return nil }
            (left, right) = (dictionary["left"], dictionary["right"])
            (delta, reverse) = (dictionary["delta"], dictionary["reverse"])
        }
    }

    @Test(
        "Each case is created and applied, back and forth", arguments: ["atomicValues", "objects"])
    func cases(group: String) throws {
        let cases = try cases(group)
        #expect(cases.count >= 5 || cases.isEmpty)
        for (index, value) in cases.enumerated() {
            let (left, right) = (value.left, value.right)
            let comment: Comment = "\(group), case \(index)"
            try expect(FleeceDelta(from: left, to: right), makes: right, of: left, comment)
            try expect(FleeceDelta(from: right, to: left), makes: left, of: right, comment)
            if let delta = value.delta {
                try expect(FleeceDelta(json: json(delta)), makes: right, of: left, comment)
            }
            if let reverse = value.reverse {
                try expect(FleeceDelta(json: json(reverse)), makes: left, of: right, comment)
            }
        }
    }

    @Test("Of the array cases, values are created and applied; moves are errors")
    func arrays() throws {
        for (index, value) in try cases("arrays").enumerated() {
            let (left, right) = (value.left, value.right)
            let comment: Comment = "arrays, case \(index)"
            try expect(FleeceDelta(from: left, to: right), makes: right, of: left, comment)
            try expect(FleeceDelta(from: right, to: left), makes: left, of: right, comment)
            let delta = try FleeceDelta(json: json(#require(value.delta)))
            #expect(code { _ = try delta.applied(to: left) } == .invalidData, comment)
        }
    }

    private func cases(_ group: String) throws -> [Case] {
        guard let file = Oracle.file("DeltaTests.json5") else { return [] }
        var encoder = FleeceEncoder()
        try file.withUnsafeBytes { try encoder.writeJSON5($0) }
        let document = try FleeceDocument(trusted: encoder.finish())
        return try #require(document.root[group]?.array).compactMap { Case($0) }
    }

    private func expect(
        _ delta: FleeceDelta, makes new: FleeceValue?, of old: FleeceValue?, _ comment: Comment
    ) throws {
        let document = try FleeceDocument(trusted: delta.applied(to: old))
        if let new {
            #expect(document.root == new, comment)
        } else {
            #expect(document.root.kind == .undefined, comment)
        }
    }
}
