import Testing

@testable import OONIStore

@Suite("Numbers of imported rows")
struct ImportedNumbersTests {
    @Test("are the rows' own where those are free")
    func own() {
        var numbers = ImportedNumbers(after: 5, highest: 9)
        #expect([6, 7, 9].map { numbers.number(for: $0) } == [6, 7, 9])
        #expect(numbers.highest == 9)
    }

    @Test("are new ones for rows whose own the store has given, or that are out of bounds")
    func new() {
        var numbers = ImportedNumbers(after: 5, highest: 9)
        let rows: [Int64] = [-3, 0, 5, 6, ImportedNumbers.bound, .max]
        #expect(rows.map { numbers.number(for: $0) } == [10, 11, 12, 6, 13, 14])
        #expect(numbers.highest == 14)
    }

    @Test("continue after a row that the index of a damaged database does not have")
    func damaged() {
        var numbers = ImportedNumbers(after: 0, highest: 7)
        #expect(numbers.number(for: 114) == 114)
        #expect(numbers.highest == 114)
        #expect(numbers.number(for: 0) == 115)
        #expect(numbers.highest == 115)
    }

    @Test("are given once, though a damaged database has a row with one that another row got")
    func once() {
        var numbers = ImportedNumbers(after: 0, highest: 7)
        #expect([0, 8, 9, 20, 10].map { numbers.number(for: $0) } == [8, 9, 10, 20, 21])
    }
}
