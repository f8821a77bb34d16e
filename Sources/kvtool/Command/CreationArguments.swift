internal import ArgumentParser

/// The option of commands that make the database that they fill.
struct CreationArguments: ParsableArguments {
    @Flag(help: "Make a new database also if its name does not end with .cblite2.")
    var create = false
}
