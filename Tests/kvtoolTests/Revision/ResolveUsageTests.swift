import Testing

@Suite("kvtool resolve's usage")
struct ResolveUsageTests {
    @Test(
        "invalid combinations of options end with 2",
        arguments: [
            ["--take", "local"], ["--merge"], ["--all"], ["--all", "a", "--delete"],
            ["a", "--take", "local", "--delete"], ["a", "--merge", "--with", "f"], ["a", "-n"],
            ["a", "b", "--with", "f"], ["a*", "--with", "f"], ["--all", "--with", "f"],
            ["--all", "--take", "2-a"], ["a*", "--take", "2-a"], [""], ["a", "--yes"],
            ["a", "--collection", "b,c", "--delete"],
        ])
    func usage(_ arguments: [String]) throws {
        let complaint = try Kvtool.run(["resolve", "none.cblite2"] + arguments).refusal(status: 2)
        #expect(complaint.hasSuffix("; see kvtool resolve --help"), "\(complaint)")
    }
}
