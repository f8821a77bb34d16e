internal import FleeceLite

/// Functions of the elements of arrays. Null elements are ignored. For arguments that are not
/// arrays the functions of LiteCore return the same as there, except that numbers may be negative.
enum ArrayFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("array_avg") { FunctionCall.run($0, $1, $2, ArrayFunctions.average) },
            NamedFunction("array_contains") {
                FunctionCall.run($0, $1, $2, ArrayFunctions.contains)
            },
            NamedFunction("array_count") { FunctionCall.run($0, $1, $2, ArrayFunctions.count) },
            NamedFunction("array_ifnull") {
                FunctionCall.run($0, $1, $2, ArrayFunctions.firstValue)
            },
            NamedFunction("array_length") {
                FunctionCall.run($0, $1, $2) { $0.set($0[0].array?.elementCount ?? 0) }
            },
            NamedFunction("array_max") { ArrayFunctions.extreme($0, $1, $2) { $0 > $1 } },
            NamedFunction("array_min") { ArrayFunctions.extreme($0, $1, $2) { $0 < $1 } },
            NamedFunction("array_sum") {
                FunctionCall.run($0, $1, $2) { $0.set(ArrayFunctions.sum(of: $0[0]).total) }
            },
            NamedFunction("array_position") {
                FunctionCall.run($0, $1, $2, ArrayFunctions.position)
            },
        ]
    }

    /// The numbers among the elements, with Booleans as 1 and 0.
    private static func sum(of value: FunctionValue) -> (total: Double, count: Int) {
        var sum = (total: 0.0, count: 0)
        value.array?.forEachElement { element in
            guard let number = FunctionValue(element).number else { return }
            sum.total += number
            sum.count += 1
        }
        return sum
    }

    /// The average of the numbers; 0 if there are none.
    private static func average(_ call: FunctionCall) {
        let (total, count) = sum(of: call[0])
        call.set(count == 0 ? 0 : total / Double(count))
    }

    /// The number of non-null elements; 0 if the value is not an array.
    private static func count(_ call: FunctionCall) {
        var count = 0
        call[0].array?.forEachElement { count += $0.asElement.isValued ? 1 : 0 }
        call.set(count)
    }

    /// The first non-null element; null if there is none.
    private static func firstValue(_ call: FunctionCall) {
        guard let array = call[0].array else { return call.setNull() }
        for index in 0..<array.elementCount {
            guard let value = array[index]?.asElement, value.isValued else { continue }
            return call.set(value)
        }
        call.setNull()
    }

    /// The largest or smallest number as a double; null if there is none.
    @inline(__always)
    private static func extreme(
        _ context: OpaquePointer?, _ count: Int32,
        _ arguments: UnsafeMutablePointer<OpaquePointer?>?,
        _ isMore: (Double, Double) -> Bool
    ) {
        FunctionCall.run(context, count, arguments) { call in
            guard let array = call[0].array else { return call.setNull() }
            var best: Double?
            for index in 0..<array.elementCount {
                guard let number = array[index].flatMap({ FunctionValue($0).number }), !number.isNaN
                else { continue }
                if best.map({ isMore(number, $0) }) ?? true { best = number }
            }
            if let best { call.set(best) } else { call.setNull() }
        }
    }

    /// Whether an array contains a value; null if it is not an array.
    private static func contains(_ call: FunctionCall) {
        let (container, value) = (call[0], call[1])
        if case .missing = container { return call.setMissing() }
        guard let array = container.array else { return call.setNull() }
        if case .missing = value { return call.setMissing() }
        call.set(index(of: value, in: array) != nil)
    }

    /// The position of the first element that equals a value; -1 if there is none.
    private static func position(_ call: FunctionCall) {
        let value = call[1]
        if call.hasMissing { return call.setMissing() }
        guard let array = call[0].array else { return call.setNull() }
        call.set(index(of: value, in: array) ?? -1)
    }

    /// The position of a value in an array.
    static func index(of value: FunctionValue, in array: UnsafeFleeceValue) -> Int? {
        for index in 0..<array.elementCount {
            guard let element = array[index]?.asElement else { continue }
            if FunctionValue.equal(element, value) { return index }
        }
        return nil
    }
}
