/// A value that is being encoded: one for each value around the place where the encoder is.
struct EncodingLevel {
    /// What has been asked of the value's encoder.
    enum Form {
        /// Nothing yet.
        case empty
        case keyed, unkeyed
        /// It is a scalar, or stands for the level above it.
        case single
    }

    /// Tells it from values that were at the same depth before.
    let serial: UInt32
    /// The key in the value around it; nil for the outermost, and for one that another stands for.
    let key: (any CodingKey)?
    /// Who may still write to a nested container; nil for a value whose `encode(to:)` runs.
    var holder: EncodingHolder?
    var form = Form.empty
    /// Collections around it and itself.
    var collections: Int
    /// Elements of an array so far.
    var count = 0
    /// What was written to it while a container inside it was in use, in order.
    var diversions: [EncodingStream] = []
}

/// What the users of a nested container have in common; when it has but one owner left, which is
/// the level, there are none.
class EncodingHolder {}
