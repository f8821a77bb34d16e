@testable import FleeceLite

/// Calls everything that accepts a document on inputs, and reports contradictions.
struct FuzzRun: ~Copyable {
    /// The numbers of inputs that had a root, were valid, were strictly valid, and were written as
    /// JSON.
    struct Counts {
        var opened = 0
        var valid = 0
        var strict = 0
        var copied = 0
        var written = 0
    }

    private(set) var counts = Counts()
    /// The first few.
    private(set) var contradictions: [String] = []
    private var encoder = FleeceEncoder(sharedKeys: FuzzInputs.keys)
    private let buffer: GuardedBuffer
    private var number = 0
    private var input = FuzzInputs.Input(bytes: [], base: nil, sharedKeys: SharedKeys())

    /// The maximum number of bytes of a copy or its JSON.
    private static let budget = 1500
    private static let values = 150

    init() throws {
        buffer = try GuardedBuffer(capacity: 1 << 16)
    }

    private mutating func expect(_ holds: Bool, _ what: @autoclosure () -> String) {
        guard !holds, contradictions.count < 5 else { return }
        let base = input.base.map { hex([UInt8]($0.bytes)) } ?? "none"
        contradictions.append("\(what()): \(hex(input.bytes)), base \(base)")
    }

    mutating func take(_ input: FuzzInputs.Input) {
        self.input = input
        number += 1
        let isValid = validate(.structure)
        let isStrict = validate(.strict)
        expect(isValid || !isStrict, "strictly valid only")
        if input.base == nil {
            expect(isValid == checkInPlace(.structure), "valid only as a copy, or not as one")
        }
        let document = try? FleeceDocument(
            trusted: input.bytes, sharedKeys: input.sharedKeys, base: input.base)
        if number % 16 == 0 { dump() }
        guard let document else { return expect(!isValid, "valid, but no document") }
        counts.opened += 1
        counts.valid += isValid ? 1 : 0
        counts.strict += isStrict ? 1 : 0

        let walk = walk(document.root)
        expect(!isValid || !walk.isCorrupt, "valid, but corrupt")
        if number % 4 == 0 { deepWalk(document.root) }
        compare(document)
        copy(document.root, mustSucceed: isStrict && !walk.isAmbiguous)
        write(document.root, mustSucceed: isStrict)
    }

    private func validate(_ level: FleeceValidation) -> Bool {
        (try? FleeceDocument(
            validating: input.bytes, sharedKeys: input.sharedKeys, level: level, base: input.base))
            != nil
    }

    /// Nothing can be read after the bytes.
    private func checkInPlace(_ level: FleeceValidation) -> Bool {
        let check: Void? = try? buffer.withBytes(input.bytes) {
            try level.check($0, sharedKeys: input.sharedKeys)
        }
        return check != nil
    }

    private func dump() {
        let dump = FleeceDump(
            input.bytes, sharedKeys: input.sharedKeys,
            base: input.base.map { [UInt8]($0.bytes) } ?? [])
        _ = dump.description.utf8.count
    }

    private struct Walk {
        var left: Int
        var isCorrupt = false
        /// A dictionary has a key as a number and as a string.
        var isAmbiguous = false
    }

    private func walk(_ root: FleeceValue) -> Walk {
        var walk = Walk(left: Self.values)
        var open = [root]
        while let value = open.popLast(), walk.left > 0 {
            walk.left -= 1
            switch value.kind {
            case .undefined:
                let raw = value.raw
                if !raw.has(2) || raw.byte(0) != FleeceSpecial.undefined { walk.isCorrupt = true }
            case .null, .bool: break
            case .integer:
                if value.int == nil, value.uint == nil { walk.isCorrupt = true }
            case .double: if value.double == nil { walk.isCorrupt = true }
            case .string: if value.string == nil { walk.isCorrupt = true }
            case .data: if value.data == nil { walk.isCorrupt = true }
            case .array:
                if value.array == nil { walk.isCorrupt = true }
                value.array.map { open += $0.prefix(walk.left) }
            case .dictionary:
                guard let dictionary = value.dictionary else {
                    walk.isCorrupt = true
                    continue
                }
                visit(dictionary, &walk, &open)
            }
        }
        return walk
    }

    private func visit(
        _ dictionary: FleeceDictionary, _ walk: inout Walk, _ open: inout [FleeceValue]
    ) {
        _ = (dictionary.count, dictionary["a"]?.kind, dictionary["missing key"]?.kind)
        var keys: Set<String> = []
        for (key, value) in dictionary.prefix(walk.left) {
            if !keys.insert(key).inserted { walk.isAmbiguous = true }
            _ = dictionary[key]?.kind
            open.append(value)
        }
    }

    private func deepWalk(_ root: FleeceValue) {
        for item in root.deepValues(limit: Self.values) {
            guard let item = try? item.get() else { return }
            _ = (item.key, item.value.text)
        }
    }

    private mutating func compare(_ document: FleeceDocument) {
        guard number % 2 == 0 else { return expect(document.root == document.root, "not itself") }
        guard
            let again = try? FleeceDocument(
                trusted: input.bytes, sharedKeys: input.sharedKeys, base: input.base)
        else { return expect(false, "opened only once") }
        expect(again.root == document.root, "not equal to itself")
        expect(again.root.hashValue == document.root.hashValue, "another hash")
    }

    private mutating func copy(_ root: FleeceValue, mustSucceed: Bool) {
        do {
            try encoder.write(root, maximumBytes: Self.budget)
            let bytes = try encoder.finish()
            counts.copied += 1
            guard mustSucceed else { return }
            let copy = try FleeceDocument(
                validating: bytes, sharedKeys: encoder.sharedKeys ?? SharedKeys(), level: .strict)
            expect(copy.root == root, "not equal to its copy")
        } catch let error as FleeceError {
            encoder.reset()
            expect(!mustSucceed || error.code == .outOfRange, "valid, but: \(error)")
        } catch {
            expect(false, "\(error)")
        }
    }

    private mutating func write(_ root: FleeceValue, mustSucceed: Bool) {
        var options = JSONWriter.Options()
        options.maximumBytes = Self.budget
        options.pretty = number % 4 == 0
        options.canonical = number % 3 == 0
        var writer = JSONWriter(options: options)
        do {
            try writer.write(root)
            counts.written += 1
        } catch let error as FleeceError {
            return expect(!mustSucceed || error.code == .outOfRange, "valid, but: \(error)")
        } catch {
            return expect(false, "\(error)")
        }
        expect(writer.text.utf8.count <= Self.budget, "more JSON than allowed")
        guard root.kind == .array || root.kind == .dictionary else { return }
        do {
            try writer.text.utf8.withUnsafeBytes { _ = try encoder.writeJSON($0, lifting: nil) }
            _ = try encoder.finish()
        } catch {
            encoder.reset()
            // The writer allows more levels than the reader.
            expect("\(error)".contains("levels of nesting"), "not JSON: \(error)")
        }
    }
}
