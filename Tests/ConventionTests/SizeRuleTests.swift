import Testing

@Suite("Rules on size")
struct SizeRuleTests {
    private func lines(_ count: Int) -> String { String(repeating: "a()\n", count: count) }

    @Test func aFileOf500LinesIsTheLongest() {
        #expect(Rule.fileLength.check(lines(500)).isEmpty)
        let findings = Rule.fileLength.check(lines(501))
        #expect(findings.map(\.line) == [501])
        #expect(findings.first?.description.contains("Example.swift:501: the file has 501") == true)
    }

    @Test func aLineOf100ColumnsIsTheLongest() {
        let line = String(repeating: "x", count: 100)
        #expect(Rule.lineWidth.check("a\n\(line)\n").isEmpty)
        #expect(Rule.lineWidth.check("a\r\n\(line)\r\n").isEmpty)
        #expect(Rule.lineWidth.check("a\n\(line)y\n").map(\.line) == [2])
    }

    @Test func columnsAreCharactersAndNotBytes() {
        #expect(Rule.lineWidth.check("// " + String(repeating: "é", count: 97)).isEmpty)
        #expect(Rule.lineWidth.check("// " + String(repeating: "é", count: 98)).count == 1)
    }

    @Test(
        "a body that is too long is found in",
        arguments: [
            "func f() {", "func f<T>(a: [T] = [{ 1 }()], b: (T) -> Void) async throws(E) -> [T] {",
            "func f<T>(\n    a: T\n) -> [Int]\nwhere T: P,\n    T: Q\n{",
            "static func == (a: A, b: A) -> Bool {",
            "func f() -> Foo<Int>\n{", "init?(a: Int) {", "deinit {", "subscript(a: Int) -> Int {",
            "var a: Foo<[Int: Bar]> {", "func f<T>(a: T) where T.A == Int {",
            "func f(\n) -> (\n    Int\n) {",
        ])
    func longBodies(_ head: String) {
        let headLines = head.split(separator: "\n").count
        let fitting = head + "\n" + lines(70 - headLines - 1) + "}\n"
        let tooLong = head + "\n" + lines(70 - headLines) + "}\n"
        #expect(Rule.functionLength.check("struct S {\n" + fitting + fitting + "}").isEmpty)
        let findings = Rule.functionLength.check("struct S {\n" + fitting + tooLong + "}")
        #expect(findings.map(\.line) == [72])
        #expect(findings.first?.message.contains("71 lines") == true)
    }

    @Test(
        "a declaration without a body is ignored",
        arguments: [
            "func f() -> Int", "func f() -> Foo<Int>", "init(a: Int)", "func f() async throws",
            "var a: Int", "var a: Foo<Int>", "var a = 1", "var a: Int = 1",
            "subscript(a: Int) -> Int { get }",
            "let a = B.init", "let a = self.deinit", "var a: () -> Void",
        ])
    func absentBodies(_ declaration: String) {
        let text = "protocol P {\n\(declaration)\n}\nstruct S {\n" + lines(90) + "}"
        #expect(Rule.functionLength.check(text).isEmpty)
        let followed = "struct P {\n\(declaration)\nstruct S {\n" + lines(90) + "}\n}"
        #expect(Rule.functionLength.check(followed).isEmpty)
    }

    @Test func bracesInStringsAndCommentsAreIgnored() {
        let text = "func f() {\n a(\"}\") // }\n" + lines(70) + "}\n"
        #expect(Rule.functionLength.check(text).count == 1)
        let short = "func f() {\n a(\"{\") // {\n}\n" + lines(70)
        #expect(Rule.functionLength.check(short).isEmpty)
    }
}
