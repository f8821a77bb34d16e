internal import FleeceLite

/// Functions that return new arrays. An argument that is not an array gives null, a missing one
/// missing.
enum ArrayBuilding {
    static var table: [NamedFunction] { ends + positions + shapes }

    private static var ends: [NamedFunction] {
        [
            NamedFunction("array_append") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.append)
            },
            NamedFunction("array_concat") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.concatenate)
            },
            NamedFunction("array_prepend") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.prepend)
            },
            NamedFunction("array_put") { FunctionCall.run($0, $1, $2, ArrayBuilding.put) },
        ]
    }

    private static var positions: [NamedFunction] {
        [
            NamedFunction("array_insert") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.insert)
            },
            NamedFunction("array_remove") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.remove)
            },
            NamedFunction("array_replace") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.replace)
            },
        ]
    }

    private static var shapes: [NamedFunction] {
        [
            NamedFunction("array_flatten") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.flatten)
            },
            NamedFunction("array_range") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.range)
            },
            NamedFunction("array_repeat") {
                FunctionCall.run($0, $1, $2, ArrayBuilding.repeated)
            },
            NamedFunction("array_reverse") {
                FunctionCall.run($0, $1, $2) { call in
                    guard let array = call[0].array else { return call.setAbsent() }
                    try call.set(array.elements.reversed())
                }
            },
            NamedFunction("array_sort") {
                FunctionCall.run($0, $1, $2) { call in
                    guard let array = call[0].array else { return call.setAbsent() }
                    try call.set(array.elements.sorted { FunctionValue.order($0, $1) < 0 })
                }
            },
        ]
    }

    private static func append(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_append")
        guard !call.hasMissing, let array = call[0].array else { return call.setAbsent() }
        try call.set(array.elements + call.values(from: 1))
    }

    /// The array is the last argument.
    private static func prepend(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_prepend")
        guard !call.hasMissing, let array = call[call.count - 1].array else {
            return call.setAbsent()
        }
        try call.set(call.values().dropLast() + array.elements)
    }

    private static func concatenate(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_concat")
        guard let arrays = call.arrays() else { return call.setAbsent() }
        try FunctionLimits.requireElements(arrays.reduce(0) { $0 + $1.elementCount })
        try call.set(arrays.flatMap(\.elements))
    }

    /// Appends each value that the array does not contain yet.
    private static func put(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_put")
        guard !call.hasMissing, let array = call[0].array else { return call.setAbsent() }
        var elements = array.elements
        for value in call.values(from: 1)
        where !elements.contains(where: { FunctionValue.equal($0, value) }) {
            elements.append(value)
        }
        try call.set(elements)
    }

    /// Positions count from 0, negative ones from the end; an invalid position gives null.
    private static func insert(_ call: FunctionCall) throws {
        try call.requireCount(3, of: "array_insert")
        guard !call.hasMissing, let array = call[0].array, var index = call[1].integer else {
            return call.setAbsent()
        }
        var elements = array.elements
        if index < 0 { index += elements.count }
        guard (0...elements.count).contains(index) else { return call.setNull() }
        elements.insert(contentsOf: call.values(from: 2), at: index)
        try call.set(elements)
    }

    private static func remove(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_remove")
        guard !call.hasMissing, let array = call[0].array else { return call.setAbsent() }
        let values = call.values(from: 1)
        try call.set(
            array.elements.filter { element in
                !values.contains { FunctionValue.equal($0, element) }
            })
    }

    /// The fourth argument limits the number of replacements; a negative number means all.
    private static func replace(_ call: FunctionCall) throws {
        guard !call.hasMissing, let array = call[0].array else { return call.setAbsent() }
        var left = -1
        if call.count == 4 {
            guard let most = call[3].integer else { return call.setNull() }
            left = most
        }
        let (old, new) = (call[1], call[2])
        var elements = array.elements
        for index in elements.indices where left != 0 {
            guard FunctionValue.equal(elements[index], old) else { continue }
            elements[index] = new
            left -= left > 0 ? 1 : 0
        }
        try call.set(elements)
    }

    /// Replaces nested arrays by their elements, down to a depth; without limit if it is negative.
    private static func flatten(_ call: FunctionCall) throws {
        guard !call.hasMissing, let array = call[0].array, let depth = call[1].integer else {
            return call.setAbsent()
        }
        let deepest = depth < 0 ? FleeceLimits.walkDepth : min(depth, FleeceLimits.walkDepth)
        var elements: [FunctionValue] = []
        var open = [(array: array, next: 0)]
        var steps = 0
        while let (array, next) = open.last {
            guard let element = next < array.elementCount ? array[next] : nil else {
                open.removeLast()
                continue
            }
            open[open.count - 1].next += 1
            // Repeated empty arrays take time although they add no elements.
            steps += 1
            try FunctionLimits.requireElements(steps)
            if element.kind == .array, open.count <= deepest {
                open.append((element, 0))
            } else {
                elements.append(element.asElement)
            }
        }
        try call.set(elements)
    }

    /// The numbers from the first up to, but not including, the second; downwards for a negative
    /// step.
    private static func range(_ call: FunctionCall) throws {
        guard let start = call[0].double, let end = call[1].double,
            let step = call.count == 3 ? call[2].double : 1
        else { return call.setAbsent() }
        guard step != 0, start.isFinite, end.isFinite, step.isFinite,
            (end - start) / step > 0
        else { return try call.set([]) }
        let count = ((end - start) / step).rounded(.up)
        try FunctionLimits.requireElements(Int(exactly: count) ?? .max)
        try call.setArray { encoder in
            for index in 0..<Int(count) {
                let number = start + Double(index) * step
                if let whole = Int64(exactly: number) {
                    encoder.writeInt(whole)
                } else {
                    encoder.writeReal(number)
                }
            }
        }
    }

    /// An array that repeats a value.
    private static func repeated(_ call: FunctionCall) throws {
        guard !call.hasMissing, let count = call[1].integer, count >= 0 else {
            return call.setAbsent()
        }
        let value = call[0]
        try FunctionLimits.requireElements(count)
        try call.setArray { encoder in
            for _ in 0..<count { try encoder.writeBounded(value) }
        }
    }
}

extension FunctionCall {
    /// All arguments as arrays; nil if one of them is not an array.
    func arrays() -> [UnsafeFleeceValue]? {
        var arrays: [UnsafeFleeceValue] = []
        for index in 0..<count {
            guard let array = self[index].array else { return nil }
            arrays.append(array)
        }
        return arrays
    }
}
