internal import SQLCore

extension SQLError {
    /// Whether a part of the file cannot be read, so that others perhaps can.
    var isDamage: Bool {
        switch code.primary {
        case .corrupt, .notADatabase, .inputOutput, .tooBig: true
        default: false
        }
    }

    /// Whether a statement does not fit the file: a function, a column or a table is missing.
    var isMisfit: Bool {
        switch code.primary {
        case .error, .readOnly, .cannotOpen, .full, .constraint: true
        default: false
        }
    }
}
