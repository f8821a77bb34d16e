import DataFileCore
import DocumentStore
import FleeceLite
import Foundation
import OONIStore
import SQLCore
import SQLPlus
import SQLTables
import SampleData
import ServerStore
import ServerStoreTestSupport
import StoreTestSupport
import StoreTools
import Testing

// Code of a program that imports every product. The test is that it compiles: a public type with
// one of these names of Swift or Foundation would shadow it, or make it ambiguous.

private func count(_ numbers: some Collection<Int>) -> Int { numbers.count }

private func outcome(_ number: Int) -> Result<Int, any Error> { .success(number) }

private func doubled(_ numbers: any Sequence<Int>) -> Set<Int> { Set(numbers.map { $0 * 2 }) }

private func first<Element: Identifiable>(
    _ elements: [Element], where predicate: Predicate<Element>
) throws -> Element? {
    try elements.first { try predicate.evaluate($0) }
}

private struct Person: Codable, Hashable, Identifiable, Sendable {
    let id: UUID
    let name: String
    let birth: Date
    var range: Range<Int> = 0..<1
    var error: (any Error & Sendable)? { nil }
}

extension OONIStore {
    fileprivate func resultCount() -> Result<Int, any Error> {
        Result { try read { try results.page(in: $0).results.count } }
    }
}

// Declarations of the program itself, with names of SwiftUI and of other libraries.

private protocol View {
    associatedtype Body: View
    var body: Body { get }
}

extension Never: View {
    fileprivate var body: Never { fatalError() }
}

private struct Text: View {
    let string: String
    init(_ string: String) { self.string = string }
    var body: Never { fatalError() }
}

@propertyWrapper
private struct State<Value> {
    var wrappedValue: Value
}

@propertyWrapper
private struct Binding<Value> {
    var wrappedValue: Value
}

@propertyWrapper
private struct Query<Value> {
    var wrappedValue: [Value]
}

@propertyWrapper
private struct Environment<Value> {
    var wrappedValue: Value
}

private struct Label {}
private struct Model {}
private struct Transaction {}
private struct List<Element: View>: View {
    let elements: [Element]
    var body: Never { fatalError() }
}

private struct PeopleView: View {
    @State var people: [Person] = []
    @Binding var selection = 0
    @Query var found: [Person] = []
    @Environment var locale = Locale.current
    let label = Label(), model = Model(), transaction = Transaction()

    var body: some View { List(elements: people.map { Text($0.name) }) }
}

@Suite("Names")
struct NamesTests {
    @Test("a program that imports everything can use the names of Swift, Foundation and SwiftUI")
    func everything() throws {
        #expect(count([1, 2]) == 2)
        #expect(try outcome(3).get() == 3)
        #expect(doubled([1, 1]) == [2])
        let ada = Person(id: UUID(), name: "Ada", birth: Date(timeIntervalSince1970: 0))
        #expect(try first([ada], where: #Predicate { $0.name == "Ada" }) == ada)
        #expect(try OONIStore.inMemory().resultCount().get() == 0)
        #expect(PeopleView(people: [ada]).body is List<Text>)
    }
}
