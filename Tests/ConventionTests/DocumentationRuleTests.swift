import Testing

@Suite("Rule on documentation")
struct DocumentationRuleTests {
    @Test(
        "a public declaration without a comment is found",
        arguments: [
            "public struct A {}", "public final class A {}", "open class A {}", "public enum A {}",
            "public protocol A {}", "public actor A {}", "public typealias A = B",
            "public func a() {}",
            "public static func a() {}", "static public func a() {}", "public init() {}",
            "public init?(a: Int) {}", "public subscript(a: Int) -> Int { 1 }", "public let a = 1",
            "public var a: Int { 1 }", "public private(set) var a = 1",
            "nonisolated public let a = 1",
            "public nonisolated(unsafe) static let a = 1", "@inlinable public func a() {}",
            "@available(macOS 13, *)\npublic func a() {}",
            "public static prefix func ! (a: A) -> A { a }",
            "public static func == (a: A, b: A) -> Bool { true }", "open var a: Int { 1 }",
        ])
    func undocumented(_ code: String) {
        #expect(Rule.documentation.check(code).count == 1)
        #expect(Rule.documentation.check("// a\n" + code).count == 1)
        #expect(Rule.documentation.check("/// a\n\n" + code).count == 1)
        #expect(Rule.documentation.check("/// A thing.\n" + code).isEmpty)
        #expect(Rule.documentation.check(code, at: "Tests/SQLCoreTests/A.swift").isEmpty)
    }

    @Test(
        "attributes and directives may precede the declaration",
        arguments: [
            "/// A.\n@inlinable\n@available(\n    macOS 13, *\n)\npublic func a() {}",
            "@inlinable\n/// A.\npublic func a() {}",
            "/// A.\n// swift-format-ignore: AlwaysUseLowerCamelCase\npublic func a() {}",
            "/// A.\n@Some.Attribute(\"x\")\n@inline(__always) public static func a() {}",
        ])
    func attributes(_ code: String) {
        #expect(Rule.documentation.check(code).isEmpty)
    }

    @Test(
        "declarations that need no comment are permitted",
        arguments: [
            "public import Foundation", "@_exported public import A", "public extension A {}",
            "func a() {}", "package func a() {}", "let open = 1", "open(file)", "db.open()",
            "func open(path: String) {}", "f(open: true)", "enum A {\n case open\n func a() {}\n}",
            "enum A {\n case shut, open\n func a() {}\n}", "enum A {\n case a\n}",
            "// public func a() {}",
            "\"public func a() {}\"",
        ])
    func exempt(_ code: String) {
        #expect(Rule.documentation.check(code).isEmpty)
    }

    @Test func eachCaseOfAPublicEnumNeedsAComment() {
        let text = """
            /// An example.
            public indirect enum A: String {
                /// Has one.
                case a
                case b, c
                /// Has one too.
                indirect case d(
                    A, B)

                /// What it is for.
                public var e: Int {
                    switch self {
                    case .a: 1
                    default: 2
                    }
                }
                enum Inner {
                    case f
                }
                case g  /// not above
            }
            """
        #expect(Rule.documentation.check(text).map(\.line) == [5, 20])
    }

    @Test func theFindingSaysWhatIsMissing() {
        let text = "/// A.\npublic struct A {\n    public var b = 1\n}"
        #expect(
            Rule.documentation.check(text).map(\.description) == [
                "Sources/SQLCore/Example.swift:3: `var b` is public and has no documentation: "
                    + "put a `///` comment on the line above it"
            ])
    }

    @Test func aDeclarationInTheMiddleOfALineIsNotDocumentedByTheLineAbove() {
        let text = "/// A.\npublic struct A { public var b = 1 }"
        #expect(Rule.documentation.check(text).count == 1)
    }
}
