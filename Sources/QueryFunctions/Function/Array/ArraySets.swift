internal import FleeceLite

/// Functions that treat arrays as sets: equal elements count once. The result has the order of the
/// first occurrences.
enum ArraySets {
    static var table: [NamedFunction] {
        [
            NamedFunction("array_distinct") {
                FunctionCall.run($0, $1, $2) { call in
                    guard let array = call[0].array else { return call.setAbsent() }
                    try call.set(ArraySets.groups(of: [array]).map(\.value))
                }
            },
            NamedFunction("array_intersect") {
                FunctionCall.run($0, $1, $2, ArraySets.intersect)
            },
            NamedFunction("array_symdiff") { FunctionCall.run($0, $1, $2, ArraySets.differ) },
            NamedFunction("array_star") { FunctionCall.run($0, $1, $2, ArraySets.star) },
        ]
    }

    /// A value, and the number of arrays that contain it.
    private struct Group {
        let value: FunctionValue
        /// The position of its first occurrence among all elements.
        let position: Int
        var arrays: Int
    }

    private static func groups(of arrays: [UnsafeFleeceValue]) throws -> [Group] {
        var items: [(value: FunctionValue, position: Int, array: Int)] = []
        for (number, array) in arrays.enumerated() {
            try FunctionLimits.requireElements(items.count + array.elementCount)
            for element in array.elements { items.append((element, items.count, number)) }
        }
        items.sort {
            let order = FunctionValue.order($0.value, $1.value)
            return order == 0 ? $0.position < $1.position : order < 0
        }
        var groups: [Group] = []
        var array = -1
        for item in items {
            if let last = groups.last, FunctionValue.equal(last.value, item.value) {
                groups[groups.count - 1].arrays += item.array == array ? 0 : 1
            } else {
                groups.append(Group(value: item.value, position: item.position, arrays: 1))
            }
            array = item.array
        }
        return groups.sorted { $0.position < $1.position }
    }

    /// The values that all arrays contain.
    private static func intersect(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_intersect")
        guard let arrays = call.arrays() else { return call.setAbsent() }
        try call.set(groups(of: arrays).filter { $0.arrays == arrays.count }.map(\.value))
    }

    /// The values that only one array contains.
    private static func differ(_ call: FunctionCall) throws {
        try call.requireCount(2, of: "array_symdiff")
        guard let arrays = call.arrays() else { return call.setAbsent() }
        try call.set(groups(of: arrays).filter { $0.arrays == 1 }.map(\.value))
    }

    /// Converts an array of objects to an object of arrays: for each property its values, with null
    /// for elements without the property.
    private static func star(_ call: FunctionCall) throws {
        guard let array = call[0].array else { return call.setAbsent() }
        let count = array.elementCount
        var columns: [String: [FunctionValue]] = [:]
        var properties = 0
        for index in 0..<count {
            guard let element = array[index], let dictionary = element.dictionary else { continue }
            for (key, value) in dictionary.properties {
                properties += 1
                let name = String(decoding: key, as: UTF8.self)
                if columns[name] == nil {
                    try FunctionLimits.requireElements((columns.count + 1) * count + properties)
                    columns[name] = Array(repeating: .null, count: count)
                }
                columns[name]?[index] = value
            }
        }
        try call.setObject { encoder in
            for (name, values) in columns.sorted(by: { $0.key < $1.key }) {
                try encoder.writeKey(name)
                encoder.beginArray()
                for value in values { try encoder.writeBounded(value) }
                try encoder.endArray()
            }
        }
    }
}
