import EngineTestSupport
import FleeceLite
import QueryFunctions
import SQLCore
internal import StorePlatform
import Synchronization
import Testing

@Suite("PredictiveModels")
struct PredictiveModelTests {
    private let input: FleeceDictionary

    init() throws {
        let document = try FleeceDocument(json: #"{"n":1}"#)
        input = try #require(document.root.dictionary)
    }

    @Test("A model is found by its name until it is unregistered")
    func registering() throws {
        #expect(PredictiveModels.model(named: "registry/a") == nil)
        PredictiveModels.register(ClosureModel { _ in 1 }, as: "registry/a")
        PredictiveModels.register(ClosureModel { _ in 2 }, as: "registry/b")
        #expect(try PredictiveModels.model(named: "registry/a")?.predict(input)?.int == 1)
        let ours = PredictiveModels.registered.filter { $0.hasPrefix("registry/") }
        #expect(ours == ["registry/a", "registry/b"])
        PredictiveModels.unregister("registry/a")
        PredictiveModels.unregister("registry/a")
        #expect(PredictiveModels.model(named: "registry/a") == nil)
        #expect(try PredictiveModels.model(named: "registry/b")?.predict(input)?.int == 2)
        PredictiveModels.unregister("registry/b")
    }

    @Test("A model replaces the one with its name, which is released")
    func replacing() throws {
        let gone = Atomic(0)
        PredictiveModels.register(CountedModel { gone.add(1, ordering: .relaxed) }, as: "replaced")
        #expect(gone.load(ordering: .relaxed) == 0)
        PredictiveModels.register(ClosureModel { _ in "new" }, as: "replaced")
        #expect(gone.load(ordering: .relaxed) == 1)
        #expect(try PredictiveModels.model(named: "replaced")?.predict(input)?.string == "new")
        PredictiveModels.unregister("replaced")
    }

    @Test("A model that uses the registry in its deinit does not deadlock")
    func letGo() {
        let found = Locked<[String]>([])
        PredictiveModels.register(
            CountedModel {
                let names = PredictiveModels.registered
                found.withLock { $0 = names }
            }, as: "asking")
        PredictiveModels.register(ClosureModel { _ in nil }, as: "asking")
        #expect(found.withLock { $0.contains("asking") })
        PredictiveModels.unregister("asking")
    }

    @Test("Threads register, use and unregister models concurrently")
    func threads() async {
        await withTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    for round in 0..<500 {
                        let name = "threads/\((worker + round) % 3)"
                        PredictiveModels.register(ClosureModel { _ in 1 }, as: name)
                        _ = PredictiveModels.model(named: name)
                        PredictiveModels.unregister(name)
                    }
                }
            }
        }
        #expect(!PredictiveModels.registered.contains { $0.hasPrefix("threads/") })
    }
}

/// A model that reports its deinitialization.
private final class CountedModel: PredictiveModel {
    let end: @Sendable () -> Void

    init(_ end: @escaping @Sendable () -> Void) {
        self.end = end
    }

    func predict(_ input: FleeceDictionary) throws -> MutableFleeceValue? { nil }

    deinit {
        end()
    }
}
