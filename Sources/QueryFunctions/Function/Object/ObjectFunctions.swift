internal import FleeceLite
internal import SQLCore

/// Conversions of objects to arrays, and constructions of new objects. Properties are sorted by the
/// bytes of their names. A value that is not an object gives null, a missing one missing.
enum ObjectFunctions {
    static var table: [NamedFunction] { readers + writers }

    private static var readers: [NamedFunction] {
        [
            NamedFunction("object_length") {
                ObjectFunctions.read($0, $1, $2) { $0.set($1.count) }
            },
            NamedFunction("object_names") {
                ObjectFunctions.read($0, $1, $2) { try $0.set($1.map { .text($0.key) }) }
            },
            NamedFunction("object_values") {
                ObjectFunctions.read($0, $1, $2) { try $0.set($1.map(\.value)) }
            },
            NamedFunction("object_pairs") {
                ObjectFunctions.read($0, $1, $2, ObjectFunctions.pairs)
            },
        ]
    }

    private static var writers: [NamedFunction] {
        [
            NamedFunction("object_add") { FunctionCall.run($0, $1, $2, ObjectFunctions.add) },
            NamedFunction("object_put") { FunctionCall.run($0, $1, $2, ObjectFunctions.put) },
            NamedFunction("object_remove") {
                FunctionCall.run($0, $1, $2, ObjectFunctions.remove)
            },
            NamedFunction("object_rename") {
                FunctionCall.run($0, $1, $2, ObjectFunctions.rename)
            },
            NamedFunction("object_replace") {
                FunctionCall.run($0, $1, $2, ObjectFunctions.replace)
            },
            NamedFunction("object_concat") {
                FunctionCall.run($0, $1, $2, ObjectFunctions.concatenate)
            },
        ]
    }

    private typealias Property = (key: UnsafeRawBufferPointer, value: FunctionValue)

    @inline(__always)
    private static func read(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ body: (FunctionCall, [Property]) throws -> Void
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let object = call[0].object else { return call.setAbsent() }
            try body(call, object.properties)
        }
    }

    /// An array of objects with `name` and `val` for each property.
    private static func pairs(_ call: FunctionCall, _ properties: [Property]) throws {
        try call.setArray { encoder in
            for (key, value) in properties {
                encoder.beginDictionary()
                try encoder.writeKey("name")
                encoder.writeText(key)
                try encoder.writeKey("val")
                try encoder.writeBounded(value)
                try encoder.endDictionary()
            }
        }
    }

    private static func isSame(
        _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
    ) -> Bool {
        UnsafeFleeceValue.order(left, right) == 0
    }

    private static func set(_ call: FunctionCall, _ properties: [Property]) throws {
        try call.setObject { encoder in
            for (key, value) in properties {
                try encoder.writeKeyText(key)
                try encoder.writeBounded(value)
            }
        }
    }

    /// Adds a property; null if it exists already. Without a name or a value, the object is
    /// returned unchanged.
    private static func add(_ call: FunctionCall) throws {
        guard let object = call[0].object else { return setAbsent(call) }
        let (name, value) = (call[1], call[2])
        if case .missing = value { return call.set(call[0]) }
        guard name.isValued else { return call.set(call[0]) }
        let properties = object.properties
        guard let name = name.text, !properties.contains(where: { isSame($0.key, name) }) else {
            return call.setNull()
        }
        try set(call, properties + [(name, value)])
    }

    /// Adds or replaces a property; a missing value removes it.
    private static func put(_ call: FunctionCall) throws {
        guard let object = call[0].object else { return setAbsent(call) }
        let (name, value) = (call[1], call[2])
        guard name.isValued else { return call.set(call[0]) }
        guard let name = name.text else { return call.setNull() }
        var properties = object.properties.filter { !isSame($0.key, name) }
        if case .missing = value {} else { properties.append((name, value)) }
        try set(call, properties)
    }

    private static func remove(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "object_remove")
        guard !call.hasMissing, let object = call[0].object else { return call.setAbsent() }
        let names = call.values(from: 1).compactMap(\.text)
        guard names.count == call.count - 1 else { return call.setNull() }
        try set(
            call,
            object.properties.filter { property in
                !names.contains { isSame($0, property.key) }
            })
    }

    private static func rename(_ call: FunctionCall) throws {
        guard !call.hasMissing, let object = call[0].object, let old = call[1].text,
            let new = call[2].text
        else { return call.setAbsent() }
        let properties = object.properties
        guard let renamed = properties.first(where: { isSame($0.key, old) }) else {
            return call.set(call[0])
        }
        let others = properties.filter { !isSame($0.key, old) && !isSame($0.key, new) }
        try set(call, others + [(new, renamed.value)])
    }

    /// Replaces each value that equals the second argument by the third.
    private static func replace(_ call: FunctionCall) throws {
        guard !call.hasMissing, let object = call[0].object else { return call.setAbsent() }
        let (old, new) = (call[1], call[2])
        try set(
            call,
            object.properties.map { ($0.key, FunctionValue.equal($0.value, old) ? new : $0.value) })
    }

    /// Of properties with the same name the last one wins.
    private static func concatenate(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "object_concat")
        var objects: [UnsafeFleeceDictionary] = []
        for index in 0..<call.count {
            guard let object = call[index].object else { return call.setAbsent() }
            objects.append(object)
        }
        try set(call, objects.flatMap(\.properties))
    }

    private static func setAbsent(_ call: FunctionCall) {
        call.raw.isNull(at: 0) ? call.setMissing() : call.setNull()
    }
}
