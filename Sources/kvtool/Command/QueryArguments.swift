internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// The arguments of commands that ask a query.
struct QueryArguments: ParsableArguments {
    @OptionGroup var database: DatabaseArguments

    @Argument(
        help: "SELECT …; or Couchbase Lite's JSON form, if it begins with '{' or '['.")
    var query: String

    @Option(
        name: [.customShort("p"), .customLong("param")],
        help:
            "A value for a parameter, NAME=VALUE: JSON, or else a text. Several times for several."
    )
    var parameters: [String] = []

    /// The query in whichever language it is written.
    func named() throws -> Query {
        let isJSON = query.utf8.first { $0 != 0x20 && $0 != 0x0A }.map { "{[".utf8.contains($0) }
        return try isJSON == true ? Query(json: query) : Query(query)
    }

    /// The values of parameters.
    func values() throws -> QueryParameters {
        var values = QueryParameters()
        for parameter in parameters {
            guard let equals = parameter.firstIndex(of: "="), equals > parameter.startIndex else {
                throw ToolError("--param takes NAME=VALUE, not \"\(Text.line(parameter))\"")
            }
            var name = parameter[..<equals]
            if name.first == "$" { name = name.dropFirst() }
            let text = String(parameter[parameter.index(after: equals)...])
            values[String(name)] = (try? QueryValue(json: text)) ?? .string(text)
        }
        return values
    }
}
