import Testing

@testable import KVToolCommands
import KVToolCore

@Suite("Help of kvtool's shell")
struct ShellHelpTests {
    @Test("its lines fit the terminal", arguments: [30, 40, 60, 80, 100])
    func width(_ columns: Int) throws {
        let lines = ShellHelp(table: try CommandTable(KVTool.self), columns: columns).lines
        for line in lines { #expect(DisplayWidth.cells(line) <= columns, "\(line)") }
        let text = lines.joined(separator: " ")
        // Nothing is cut off.
        #expect(!text.contains("…\n"))
        let words = Set(text.split(separator: " "))
        #expect(words.isSuperset(of: ["query", "push", "begin,", "transaction", ".timing"]))
    }

    @Test("names precede their descriptions if there is space")
    func columns() throws {
        let table = CommandTable(commands: [
            CommandTable.Command(
                name: "ls", aliases: [], abstract: "Lists what there is, in some words.",
                options: [], arguments: [], commands: []),
            CommandTable.Command(
                name: "push", aliases: [], abstract: "Hidden.", options: [], arguments: [],
                commands: [], isHidden: true),
        ])
        #expect(
            ShellHelp(table: table, columns: 30).lines.prefix(3) == [
                "  ls  Lists what there is, in", "      some words.", "",
            ])
        #expect(
            ShellHelp(table: table, columns: 29).lines.prefix(3) == [
                "  ls", "    Lists what there is, in", "    some words.",
            ])
    }
}
