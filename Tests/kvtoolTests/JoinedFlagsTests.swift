import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("Flags of one letter that are typed as one word")
struct JoinedFlagsTests {
    @Test("are taken apart if the command has all of them")
    func apart() {
        #expect(JoinedFlags.apart(["rm", "a", "x*", "-ny"]) == ["rm", "a", "x*", "-n", "-y"])
        #expect(JoinedFlags.apart(["rm", "-yn", "a"]) == ["rm", "-y", "-n", "a"])
        #expect(JoinedFlags.apart(["ls", "a", "-l0"]) == ["ls", "a", "-l", "-0"])
        #expect(JoinedFlags.apart(["info", "a", "-vv"]) == ["info", "a", "-v", "-v"])
    }

    @Test(
        "are an id if the command has not all of them, behind --, and as a value",
        arguments: [
            ["rm", "a", "-nz"], ["cat", "a", "-ny"], ["rm", "a", "--", "-ny"],
            ["rm", "a", "-3aW8VeEWNHiXlvj6lhl2Cl"], ["rm", "a", "--where", "-ny"],
            ["rm", "a", "-"], ["rm", "a", "-n", "-y"], ["nope", "-ny"],
        ])
    func asTheyAre(_ arguments: [String]) {
        #expect(JoinedFlags.apart(arguments) == arguments)
    }
}
