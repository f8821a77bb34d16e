extension Rule {
    /// Names that say where something was put, and not what it is.
    private static let emptyNames = [
        "Extensions", "Helper", "Helpers", "Misc", "Miscellaneous",
        "Util", "Utils", "Utility", "Utilities",
    ]

    static let fileName = Rule(name: "Files and directories are named for what is in them") { file in
        let words = file.path.dropLast(".swift".count).split { "/+".contains($0) }
        return words.compactMap { word in
            guard let empty = emptyNames.first(where: word.hasSuffix) else { return nil }
            let message =
                "`\(word)` says nothing about what is in it (\(empty)): "
                + "name it for the idea (Type.swift, Type+Operation.swift)"
            return file.finding(1, message)
        }
    }
}
