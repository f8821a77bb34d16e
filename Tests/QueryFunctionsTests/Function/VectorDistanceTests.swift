import EngineTestSupport
import FleeceLite
import SQLCore
import SampleData
import StoreTestSupport
import Testing

@Suite("Distances of vectors in SQL")
struct VectorDistanceTests {
    let fixture: PredictionFixture

    init() throws {
        fixture = try PredictionFixture()
    }

    private func euclidean(_ a: String, _ b: String, _ more: String = "") throws -> SQLValue? {
        try fixture.value("euclidean_distance(fleece('\(a)'), fleece('\(b)')\(more))")
    }

    private func cosine(_ a: String, _ b: String) throws -> SQLValue? {
        try fixture.value("cosine_distance(fleece('\(a)'), fleece('\(b)'))")
    }

    @Test("The Euclidean distance, or its square with a power of 2")
    func euclideanDistance() throws {
        #expect(try euclidean("[1, 2]", "[4, 6]") == .real(5))
        #expect(try euclidean("[1, 2]", "[4, 6]", ", 1") == .real(5))
        #expect(try euclidean("[1, 2]", "[4, 6]", ", 2") == .real(25))
        #expect(try euclidean("[1, 2]", "[4, 6]", ", NULL") == .null)
        #expect(try euclidean("[1.5]", "[-1]") == .real(2.5))
        #expect(try euclidean("[18446744073709551615]", "[0]") == .real(18_446_744_073_709_551_616))
        #expect(try euclidean("[]", "[]") == .real(0))
    }

    @Test("The cosine distance: 0 in the same direction, 1 at right angles, 2 in opposite ones")
    func cosineDistance() throws {
        #expect(try cosine("[3, 4]", "[6, 8]") == .real(0))
        #expect(try cosine("[1, 0]", "[0, 5]") == .real(1))
        #expect(try cosine("[1, 0]", "[-2, 0]") == .real(2))
        #expect(try cosine("[0, 0]", "[1, 1]") == .null)
        #expect(try cosine("[]", "[]") == .null)
    }

    @Test(
        "Other values, and arrays of another length, have no distance",
        arguments: [
            "NULL", "1", "'[1,2]'", "x''", "x'01'", "fleece('{\"a\":1}')", "fleece('[1]')",
            "fleece('[1,2,3]')", "fleece('[1,\"2\"]')", "fleece('[1,null]')", "fleece('[1,true]')",
            "fleece('[1,[2]]')",
        ])
    func noVector(_ other: String) throws {
        for pair in ["\(other), fleece('[1,2]')", "fleece('[1,2]'), \(other)"] {
            #expect(try fixture.value("euclidean_distance(\(pair))") == .null)
            #expect(try fixture.value("cosine_distance(\(pair))") == .null)
        }
    }

    @Test("Other powers and counts of arguments are errors")
    func mistakes() {
        for power in ["0", "3", "-1", "'x'"] {
            let message = fixture.failure("euclidean_distance(NULL, NULL, \(power))")
            #expect(message == "euclidean_distance: the power must be 1 or 2")
        }
        #expect(
            fixture.failure("euclidean_distance(NULL)")
                == "wrong number of arguments to function euclidean_distance()")
    }

    @Test("Vectors of all lengths have the distance that a simple loop computes")
    func lengths() throws {
        var random = SeededGenerator(printing: "VectorDistanceTests")
        for count in [1, 7, 8, 9, 127, 128, 129, 255, 256, 300, 768, 2100] {
            let a = (0..<count).map { _ in Double(random.below(2000) - 1000) / 16 }
            let b = (0..<count).map { _ in Double(random.below(2000) - 1000) / 16 }
            let parameters: [SQLValue] = [.text("\(a)"), .text("\(b)")]
            // Sixteenths of whole numbers are summed exactly.
            let square = zip(a, b).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
            #expect(
                try fixture.value("euclidean_distance(fleece(?), fleece(?), 2)", parameters)
                    == .real(square), "\(count)")
            let product = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
            let norms =
                a.reduce(0) { $0 + $1 * $1 }.squareRoot()
                * b.reduce(0) { $0 + $1 * $1 }.squareRoot()
            #expect(
                try fixture.value("cosine_distance(fleece(?), fleece(?))", parameters)
                    == .real(1 - product / norms), "\(count)")
        }
    }
}
