import Testing

@testable import KVToolCommands
@testable import KVToolCore

@Suite("Arguments that begin with a dash")
struct DashArgumentsTests {
    @Test func shortNamesOfDocumentsAreNoOptionsOfOtherCommands() {
        #expect(DashArguments.protected(["cat", "a", "-p"]) == ["cat", "--", "a", "-p"])
        #expect(
            DashArguments.protected(["query", "a", "q", "-p", "n=1"])
                == ["query", "a", "q", "-p", "n=1"])
    }

    @Test func optionsComeFirstThenWhatLooksLikeOne() {
        #expect(
            DashArguments.protected(["cat", "a.cblite2", "-3aW8", "--collection", "c", "--raw"])
                == ["cat", "--collection", "c", "--raw", "--", "a.cblite2", "-3aW8"])
        #expect(DashArguments.protected(["ls", "-l", "a"]) == ["ls", "-l", "a"])
        #expect(DashArguments.protected(["cat", "--", "-xyz"]) == ["cat", "--", "-xyz"])
        #expect(
            DashArguments.protected(["query", "a", "-- all\nSELECT 1"])
                == ["query", "--", "a", "-- all\nSELECT 1"])
    }

    @Test func theNameOfACommandInsideStandsBeforeTheOptions() {
        #expect(
            DashArguments.protected(["expire", "a.cblite2", "-3aW8", "--in", "1h"])
                == ["expire", "a.cblite2", "--in", "1h", "--", "-3aW8"])
        #expect(
            DashArguments.protected(["index", "show", "a.cblite2", "-by", "--collection", "c"])
                == ["index", "show", "--collection", "c", "--", "a.cblite2", "-by"])
    }

    @Test func aDatabaseAloneOpensTheShell() {
        #expect(ShellStart.completed(["a.cblite2"]) == ["shell", "a.cblite2"])
        #expect(ShellStart.completed(["-w", "a.cblite2/"]) == ["shell", "-w", "a.cblite2/"])
        #expect(ShellStart.completed(["a.cblite2//hr.staff"]) == ["shell", "a.cblite2//hr.staff"])
        #expect(
            ShellStart.completed(["--color", "never", "a.cblite2"])
                == ["shell", "--color", "never", "a.cblite2"])
        #expect(
            ShellStart.completed(["--batch", "a.cblite2"]) == ["shell", "--batch", "a.cblite2"])
        #expect(ShellStart.completed(["ls", "a.cblite2"]) == ["ls", "a.cblite2"])
        #expect(ShellStart.completed(["--help"]) == ["--help"])
        #expect(ShellStart.completed([]) == [])
    }
}
