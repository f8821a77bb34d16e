internal import QueryFunctions
internal import SQLCore
internal import StoreFormat

extension SQLError {
    /// What indexes need and only the program has that made them, as part of a sentence; nil if
    /// that is not what the error is about.
    ///
    /// Reports on files say it to whoever has the file, and that need not be a programmer.
    package var missingPart: String? {
        let part = missingName ?? missingModel.map { "the model \($0)" }
        return part.map { "\($0), which this program does not have" }
    }
}
