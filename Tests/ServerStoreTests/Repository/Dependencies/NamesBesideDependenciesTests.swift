import Foundation
import ProjectTestSupport
import StoreTestSupport
import Testing

/// Compiles programs against the modules of this build, as an application's target is compiled.
/// The package swift-dependencies is replaced by a module with its name and its public names.
@Suite("ServerStore beside the package swift-dependencies")
struct NamesBesideDependenciesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        try write("Dependencies", Self.dependencies)
    }

    private func write(_ name: String, _ source: String) throws {
        try source.write(toFile: directory(name + ".swift"), atomically: true, encoding: .utf8)
    }

    private static let bridge =
        PackageDirectory.url.appending(
            path: "Examples/ServerDependencies/DependencyValues+ServerStore.swift"
        ).path

    /// What the compiler says of an application with these files; nothing if it compiles.
    private func compile(_ files: [String]) throws -> String {
        let module = try ChildProcess.run([
            "swiftc", "-emit-module", "-parse-as-library", "-module-name", "Dependencies",
            directory("Dependencies.swift"), "-o", directory("Dependencies.swiftmodule"),
        ])
        try #require(module.status == 0, "\(module.output)")
        return try ModuleCheck.errors(in: files, options: ["-I", directory.path])
    }

    @Test("A file that imports both uses the names of both")
    func both() throws {
        try write("Program", Self.program)
        #expect(try compile([directory("Program.swift"), Self.bridge]) == "")
    }

    @Test("The names of the container here are not those of the package")
    func ownNames() throws {
        try write("Program", "import ServerStore\nlet values = DependencyValues()\n")
        #expect(
            try compile([directory("Program.swift")]).contains("cannot find 'DependencyValues'"))
    }

    private static let program = """
        import Dependencies
        import ServerStore

        struct Screen {
            @Dependency(\\.serverRepository) var repository
        }

        struct OtherScreen {
            @ServerDependency(\\.serverRepository) var repository
        }

        func show() throws {
            try withDependencies {
                $0.serverRepository = .init(servers: [])
            } operation: {
                _ = try Screen().repository.servers(filteredBy: [], orderedBy: .nameAscending)
            }
            try withServerDependencies {
                $0.serverRepository = .init(servers: [])
            } operation: {
                _ = try OtherScreen().repository.serverCount()
            }
        }
        """

    private static let dependencies = """
        @propertyWrapper public struct Dependency<Value>: Sendable {
            private let path: any KeyPath<DependencyValues, Value> & Sendable
            public init(_ path: any KeyPath<DependencyValues, Value> & Sendable) {
                self.path = path
            }
            public var wrappedValue: Value { DependencyValues()[keyPath: path] }
        }

        public struct DependencyValues: Sendable {
            public init() {}
            public subscript<Key: TestDependencyKey>(key: Key.Type) -> Key.Value {
                get { Key.testValue }
                set { _ = newValue }
            }
        }

        public protocol TestDependencyKey<Value> {
            associatedtype Value: Sendable
            static var testValue: Value { get }
        }

        public protocol DependencyKey<Value>: TestDependencyKey {
            static var liveValue: Value { get }
        }

        public func withDependencies<R>(
            _ update: (inout DependencyValues) throws -> Void, operation: () throws -> R
        ) rethrows -> R {
            var values = DependencyValues()
            try update(&values)
            return try operation()
        }
        """
}
