import Testing

@Suite("Rule on argument groups")
struct ArgumentGroupRuleTests {
    @Test(
        "a group within a group is found",
        arguments: [
            "struct A: ParsableArguments {\n@OptionGroup var b: B\n}",
            "struct A: ParsableArguments {\n@OptionGroup(visibility: .hidden) var b: B\n}",
            "struct A: Sendable, ParsableArguments {\n@OptionGroup var b: B\n}",
            "struct A: ParsableArguments { func f() {}\n@OptionGroup var b: B }",
        ])
    func nested(_ code: String) {
        let findings = Rule.argumentGroups.check(code)
        #expect(findings.map(\.line) == [2])
        #expect(findings.first?.message.hasPrefix("`@OptionGroup` in the group `struct A`") == true)
    }

    @Test(
        "several groups in a command, and a struct created from them, are permitted",
        arguments: [
            "struct A: ToolCommand { @OptionGroup var b: B; @OptionGroup var c: C }",
            "struct A: ParsableArguments { @Flag var b = false }\n"
                + "struct C: ToolCommand { @OptionGroup var a: A }",
            "struct A { let b: B }",
            "struct A: ParsableArguments {\n// @OptionGroup var b: B\n}",
        ])
    func flat(_ code: String) {
        #expect(Rule.argumentGroups.check(code).isEmpty)
    }

    @Test func testsMayNest() {
        let code = "struct A: ParsableArguments { @OptionGroup var b: B }"
        #expect(Rule.argumentGroups.check(code).count == 1)
        #expect(Rule.argumentGroups.check(code, at: "Tests/SQLCoreTests/A.swift").isEmpty)
    }
}
