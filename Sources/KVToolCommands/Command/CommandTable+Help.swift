internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore

extension CommandTable {
    /// Reads the commands, options and arguments of a command and its subcommands.
    init(_ command: any ParsableCommand.Type) throws {
        let help = try FleeceDocument(json: command._dumpHelp())
        self.init(commands: Self.commands(help.root.dictionary?["command"]))
    }

    /// Returns the options of a command without those of its subcommands.
    static func options(of command: any ParsableCommand.Type) -> [Option] {
        let help = try? FleeceDocument(json: command._dumpHelp())
        let described = help?.root.dictionary?["command"]?.dictionary
        return objects(described?["arguments"]).compactMap(option)
    }

    private static func commands(_ parent: FleeceValue?) -> [Command] {
        parent?.dictionary?["subcommands"]?.array?.compactMap(Self.command) ?? []
    }

    private static func command(_ value: FleeceValue) -> Command? {
        guard let command = value.dictionary, let name = command["commandName"]?.string else {
            return nil
        }
        let arguments = objects(command["arguments"])
        return Command(
            name: name, aliases: strings(command["aliases"]),
            abstract: command["abstract"]?.string ?? "",
            options: arguments.compactMap(option), arguments: arguments.compactMap(argument),
            commands: commands(value), defaultCommand: command["defaultSubcommand"]?.string,
            isHidden: command["shouldDisplay"]?.bool == false)
    }

    private static func option(_ argument: FleeceDictionary) -> Option? {
        guard let kind = argument["kind"]?.string, kind != "positional" else { return nil }
        let names = objects(argument["names"]).compactMap { name -> String? in
            guard let text = name["name"]?.string else { return nil }
            return (name["kind"]?.string == "long" ? "--" : "-") + text
        }
        return Option(
            names: names, takesValue: kind == "option",
            valueName: argument["valueName"]?.string ?? "")
    }

    private static func argument(_ argument: FleeceDictionary) -> Argument? {
        guard argument["kind"]?.string == "positional" else { return nil }
        let completion = argument["completionKind"]?.dictionary
        return Argument(
            name: argument["valueName"]?.string ?? "",
            isPath: completion?["file"] != nil || completion?["directory"] != nil,
            isInDatabase: completion?["custom"] != nil)
    }

    private static func objects(_ value: FleeceValue?) -> [FleeceDictionary] {
        value?.array.map { $0.compactMap(\.dictionary) } ?? []
    }

    private static func strings(_ value: FleeceValue?) -> [String] {
        value?.array.map { $0.compactMap(\.string) } ?? []
    }
}
