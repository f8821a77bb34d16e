import Testing

@Suite("Rules on traps and printing")
struct TrapRuleTests {
    @Test(
        "forced operations are found",
        arguments: [
            ("try! f()", "`try!`"), ("f(a as! B)", "`as!`"), ("init!(a: Int)", "`init!`"),
            ("a!", "force unwrap"), ("a!.b", "force unwrap"), ("f()!", "force unwrap"),
            ("a[0]!", "force unwrap"), ("a { 1 }!", "force unwrap"), ("a.0!", "force unwrap"),
            ("f(a!, b)", "force unwrap"), ("a?.b!", "force unwrap"), ("\"\\(a!)\"", "force unwrap"),
            ("!a!", "force unwrap"), ("f(b: a[0]![1])", "force unwrap"),
            ("a! == b", "force unwrap"),
            ("let a: B!", "implicitly unwrapped"), ("func f() -> B.C!", "implicitly unwrapped"),
            ("var a: [Int]!", "implicitly unwrapped"),
            ("var a: (() -> Void)!", "implicitly unwrapped"),
            ("var a: Foo<Int>!", "implicitly unwrapped"),
            ("f(a: Foo<Int>!, b: C)", "implicitly unwrapped"),
        ])
    func forced(_ code: String, _ what: String) {
        let findings = Rule.forcing.check("let x = 1\n\(code)\n")
        #expect(findings.map(\.line) == [2])
        #expect(findings.first?.message.hasPrefix(what) == true, "\(findings)")
    }

    @Test(
        "other exclamation marks are permitted",
        arguments: [
            "a != b", "a !== b", "a!=b", "!a", "(!a)", "[!a, !b]", "a && !b", "a ? !b : !c", "!!a",
            "f(!)", "prefix func ! (a: A) -> A", "a ?? !b", "return !a", "#if !os(Linux)",
            "{ !$0 }",
            "// a!", "\"a!\"", "/* try! */", "\"\"\"\n a!\n \"\"\"", "try? f()", "a as? B",
            "a >= !b",
            "$0 > !b", "a >!b",
        ])
    func notForced(_ code: String) {
        #expect(Rule.forcing.check(code).isEmpty)
    }

    @Test func testsMayForce() {
        #expect(Rule.forcing.check("a!", at: "Tests/SQLCoreTests/A.swift").isEmpty)
    }

    @Test(
        "traps in unwritten code are found",
        arguments: [
            "fatalError(\"TODO\")", "fatalError(\"TODO: write \\(x)\")", "fatalError( \"todo\")",
            "preconditionFailure(\"TODO later\")",
        ])
    func unfinished(_ code: String) {
        #expect(Rule.unfinished.check(code).map(\.line) == [1])
    }

    @Test(
        "traps with a reason are permitted",
        arguments: [
            "fatalError(\"A cursor was used after its statement was closed\")", "fatalError()",
            "// fatalError(\"TODO\")", "log(\"TODO\")",
        ])
    func finished(_ code: String) {
        #expect(Rule.unfinished.check(code).isEmpty)
    }

    @Test("printing is found", arguments: ["print(a)", "debugPrint(a)", "Swift.print(a)"])
    func prints(_ code: String) {
        #expect(Rule.printing.check(code).count == 1)
        #expect(Rule.printing.check(code, at: "Sources/KVToolCommands/Command/A.swift").count == 1)
        #expect(Rule.printing.check(code, at: "Sources/KVToolCore/Output/A.swift").isEmpty)
        #expect(Rule.printing.check(code, at: "Tests/SQLCoreTests/A.swift").isEmpty)
    }

    @Test(
        "similar code is permitted",
        arguments: [
            "output.print(a)", "func print(_ a: A)", "let print = 1", "footprint(a)", "// print(a)",
        ])
    func doesNotPrint(_ code: String) {
        #expect(Rule.printing.check(code).isEmpty)
    }
}
