import BenchmarkGate
import DocumentStore

extension FleeceKernels {
    /// Two strings as views of their UTF-8, an integer, a Boolean and a fraction.
    private static let scalarCount = 5

    /// Values that are read in place, without allocating memory.
    static var scalars: Kernel {
        Kernel("read-scalars", items: GateData.count * scalarCount, passes: 50) { _ in
            let data = GateData()
            let document = try data.array(sharedKeys: false)
            return Kernel.Prepared(expected: expectedSum(data)) {
                document.withUnsafeRoot { root in
                    var sum = 0
                    root.forEachElement { element in
                        if let person = element.dictionary { sum &+= sumOfScalars(in: person) }
                    }
                    return sum
                }
            }
        }
    }

    private static func sumOfScalars(in person: UnsafeFleeceDictionary) -> Int {
        var sum = Int(person["age"]?.int ?? -1)
        for byte in person["_id"]?.utf8 ?? UnsafeRawBufferPointer(start: nil, count: 0) {
            sum &+= Int(byte)
        }
        for byte in person["gender"]?.utf8 ?? UnsafeRawBufferPointer(start: nil, count: 0) {
            sum &+= Int(byte)
        }
        if person["active"]?.bool == true { sum &+= 1 }
        sum &+= tenths(person["score"]?.double ?? -1)
        return sum
    }

    /// The expected sum, computed from the text.
    private static func expectedSum(_ data: GateData) -> Int {
        let texts = (data.ids + data.genders).flatMap(\.utf8).reduce(0) { $0 + Int($1) }
        return texts + data.ageSum + data.activeCount + data.scores.map(tenths).reduce(0, +)
    }

    private static func tenths(_ score: Double) -> Int { Int((score * 10).rounded()) }
}
