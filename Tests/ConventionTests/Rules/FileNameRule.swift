extension Rule {
    /// Names that do not describe the contents.
    private static let emptyNames = [
        "Extensions", "Helper", "Helpers", "Misc", "Miscellaneous",
        "Util", "Utils", "Utility", "Utilities",
    ]

    static let fileName = Rule(name: "File and directory names describe the contents") { file in
        let words = file.path.dropLast(".swift".count).split { "/+".contains($0) }
        return words.compactMap { word in
            guard let empty = emptyNames.first(where: word.hasSuffix) else { return nil }
            let message =
                "`\(word)` does not describe the contents (\(empty)): "
                + "use the name of the type or concept (Type.swift, Type+Operation.swift)"
            return file.finding(1, message)
        }
    }
}
