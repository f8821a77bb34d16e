internal import FleeceLite
package import SQLCore
internal import StorePlatform

/// The functions that encode vectors in the form that the vector search extension accepts:
/// consecutive single-precision numbers, little-endian.
enum VectorFunctions {
    /// The valid sizes of vectors.
    private static let dimensions: ClosedRange<Int64> = 2...4096

    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawFunction(
            "encode_vector", argumentCount: 1, flags: .pure, state: functions
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(FunctionContext.self) { VectorFunctions.encodeVector(call, $0) }
        }
        try context.registerRawFunction(
            "fl_vector_to_index", argumentCount: 3, flags: .pure, state: functions
        ) { context, count, arguments in
            let call = SQLRawCall(context, count, arguments)
            call.withState(FunctionContext.self) { VectorFunctions.vectorToIndex(call, $0) }
        }
    }

    /// `encode_vector(value)`: MISSING if the value is not a vector.
    private static func encodeVector(_ call: SQLRawCall, _ functions: FunctionContext) {
        setVector(call, call.value(at: 0, functions), functions, count: nil)
    }

    /// `fl_vector_to_index(body, path, dimensions)`: MISSING if the value is not a vector of this
    /// size.
    private static func vectorToIndex(_ call: SQLRawCall, _ functions: FunctionContext) {
        let count = call.int64(at: 2)
        guard dimensions ~= count, case .collection(let body) = call.value(at: 0, functions),
            let value = property(call, of: body)
        else { return call.setNull() }
        setVector(call, FunctionValue(value), functions, count: Int(count))
    }

    /// The value at the path in the second argument.
    private static func property(
        _ call: SQLRawCall, of body: UnsafeFleeceValue
    ) -> UnsafeFleeceValue? {
        guard let path = path(call) else { return nil }
        return path.components.reduce(body as UnsafeFleeceValue?) { value, step in
            switch step {
            case .key(let key): value?[key]
            case .index(let index):
                value.flatMap { $0[index < 0 ? $0.elementCount + index : index] }
            }
        }
    }

    /// The path, which is parsed once for a statement.
    private static func path(_ call: SQLRawCall) -> PropertyPath? {
        if let cached = call.auxiliary(at: 1, as: VectorPath.self) { return cached.path }
        // Reading another type as text would convert it.
        guard call.type(at: 1) == .text else { return nil }
        let text = String(decoding: call.text(at: 1), as: UTF8.self)
        guard let path = try? PropertyPath(parsing: text, syntax: .lenient) else { return nil }
        call.setAuxiliary(VectorPath(path), at: 1)
        return path
    }

    private static func setVector(
        _ call: SQLRawCall, _ value: FunctionValue, _ functions: FunctionContext, count: Int?
    ) {
        functions.scratch.removeAll()
        guard VectorBytes.append(value, to: &functions.scratch, count: count) else {
            return call.setNull()
        }
        call.setData(functions.scratch.bytes)
    }
}

private final class VectorPath {
    let path: PropertyPath

    init(_ path: PropertyPath) {
        self.path = path
    }
}

/// A stub of the vector search extension, so that a database with a vector index of another program
/// can be written to.
///
/// Without a module of its name the triggers of the index fail, so that no document can be changed
/// or deleted, and its table cannot be dropped. The stub accepts what the triggers write and
/// discards it: the index becomes outdated until the program that created it rebuilds it. The
/// tables in which the extension stores its vectors are ordinary ones and do not change.
package enum VectorSearchStub {
    /// The module name in the schema.
    static let moduleName = "vectorsearch"

    /// Registers the module, and the functions that triggers of vector indexes call.
    package static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerVirtualTable(moduleName) { _ in VectorSearchTable() }
        try VectorFunctions.register(in: context, functions)
    }
}

/// A table that accepts every row and contains none.
private final class VectorSearchTable: SQLWritableVirtualTable {
    /// Triggers write to it, also where the schema is not trusted: it has no effect.
    static var trust: SQLVirtualTableTrust { .innocuous }

    var declaration: String { "CREATE TABLE x(docid INTEGER, vector, bucket INTEGER, distance)" }

    func plan(_ plan: SQLIndexPlan) {
        plan.cost = 1
        plan.rows = 0
    }

    func makeCursor() -> NoRows { NoRows() }

    func insert(_ values: [SQLValue], rowID: Int64?) -> Int64 { rowID ?? 0 }
    func update(rowID: Int64, to newRowID: Int64, _ values: [SQLValue]) {}
    func delete(rowID: Int64) {}
}

private struct NoRows: SQLTableCursor {
    mutating func filter(plan: Int, text: String?, _ arguments: SQLArguments) {}
    mutating func next() {}
    var isAtEnd: Bool { true }
    func column(at index: Int, _ result: SQLRawCall) {}
    var rowID: Int64 { 0 }
}

/// Vectors in the extension's format: consecutive single-precision numbers, little-endian.
enum VectorBytes {
    /// Appends the vector of a value: an array of numbers, the Base64 of the bytes, or the bytes
    /// themselves.
    ///
    /// False if the value is not a vector, or does not have `count` numbers; the appended bytes are
    /// then invalid.
    static func append(
        _ value: FunctionValue, to bytes: inout ScratchBytes, count: Int?
    ) -> Bool {
        switch value {
        case .collection(let array):
            guard case .array = array.content, fits(array.elementCount, count) else { return false }
            return appendNumbers(of: array, to: &bytes)
        case .text(let text):
            // Four characters encode three bytes.
            if let count, text.count > (4 * count + 2) / 3 * 4 { return false }
            return Base64.decode(text) { bytes.append($0) } && isVector(bytes.count, count)
        case .data(let data):
            guard isVector(data.count, count) else { return false }
            bytes.append(data)
            return true
        default:
            return false
        }
    }

    private static func isVector(_ size: Int, _ count: Int?) -> Bool {
        size % 4 == 0 && fits(size / 4, count)
    }

    private static func fits(_ found: Int, _ wanted: Int?) -> Bool {
        found > 0 && (wanted ?? found) == found
    }

    private static func appendNumbers(
        of array: UnsafeFleeceValue, to bytes: inout ScratchBytes
    ) -> Bool {
        let count = array.elementCount
        return withUnsafeTemporaryAllocation(of: Double.self, capacity: 128) { buffer in
            var start = 0
            while start < count {
                let filled = min(buffer.count, count - start)
                let numbers = UnsafeMutableBufferPointer(rebasing: buffer[..<filled])
                guard array.readNumbers(from: start, into: numbers) else { return false }
                for number in numbers {
                    withUnsafeBytes(of: Float(number).bitPattern.littleEndian) { bytes.append($0) }
                }
                start += filled
            }
            return true
        }
    }
}
