internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The time it is, as text or as milliseconds since 1970. Neither is the same for all rows of a
/// statement: those that begin with `now` are the others without parts of milliseconds.
enum ClockFunctions {
    static var table: [NamedFunction] {
        [
            NamedFunction("now_millis", 0, flags: NamedFunction.changing) {
                FunctionCall.run($0, $1, $2) { $0.raw.setResult(ClockFunctions.milliseconds) }
            },
            NamedFunction("clock_millis", 0, flags: NamedFunction.changing) {
                FunctionCall.run($0, $1, $2) {
                    $0.set(Double(SystemClock.nanoseconds) / 1_000_000)
                }
            },
        ] + ["now", "clock"].flatMap(texts)
    }

    private static func texts(_ prefix: String) -> [NamedFunction] {
        [
            NamedFunction(prefix + "_str", 0, 1, flags: NamedFunction.changing) {
                DateFunctions.convert($0, $1, $2, format: 0) { _ in
                    CivilDate(local: .integer(ClockFunctions.milliseconds))
                }
            },
            NamedFunction(prefix + "_local", 0, 1, flags: NamedFunction.changing) {
                DateFunctions.convert($0, $1, $2, format: 0) { _ in
                    CivilDate(local: .integer(ClockFunctions.milliseconds))
                }
            },
            NamedFunction(prefix + "_utc", 0, 1, flags: NamedFunction.changing) {
                DateFunctions.convert($0, $1, $2, format: 0) { _ in
                    CivilDate(.integer(ClockFunctions.milliseconds))
                }
            },
            NamedFunction(prefix + "_tz", 1, 2, flags: NamedFunction.changing) {
                DateFunctions.convert($0, $1, $2, format: 1) { call in
                    DateFunctions.zone(call[0]).flatMap {
                        CivilDate(.integer(ClockFunctions.milliseconds), zone: $0)
                    }
                }
            },
        ]
    }

    private static var milliseconds: Int64 { Int64(SystemClock.nanoseconds / 1_000_000) }
}
