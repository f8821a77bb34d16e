internal import Foundation

/// The times of a group's members against the number of people, on logarithmic scales.
struct GrowthChart {
    private let title: String
    private let id: String
    private let curves: [(label: String, curve: Growth.Curve)]
    private let people: (low: Double, high: Double)
    private let times: (low: Double, high: Double)

    /// Nil if no member was measured at two sizes.
    init?(_ group: WorkloadGroup, _ growth: Growth, id: String) {
        title = group.title
        self.id = id
        curves = group.members.compactMap { member in
            growth.curve(member.name).map { (group.label(member), $0) }
        }
        let points = curves.flatMap(\.curve.points)
        guard let people = points.map({ log10(Double($0.people)) }).range,
            let times = points.map({ log10($0.seconds) }).range
        else { return nil }
        self.people = people
        // Whole decades, so that slopes are comparable.
        let low = times.low.rounded(.down)
        self.times = (low, max(times.high.rounded(.up), low + 1))
    }

    private enum Place {
        static let (width, height) = (320.0, 200.0)
        static let (left, right, top, bottom) = (52.0, 300.0, 10.0, 170.0)
    }

    private func x(_ people: Double) -> Double {
        let share = (people - self.people.low) / max(self.people.high - self.people.low, 1e-9)
        return Place.left + share * (Place.right - Place.left)
    }

    private func y(_ time: Double) -> Double {
        let share = (time - times.low) / (times.high - times.low)
        return Place.bottom - share * (Place.bottom - Place.top)
    }

    var markup: Markup {
        let (name, text) = ("\(id)-t", "\(id)-d")
        let words = curves.map { "\($0.label): \(Self.words($0.curve))" }
        let chart = Markup.element(
            "svg",
            [
                "class": "growth", "role": "img",
                "viewBox": "0 0 \(Int(Place.width)) \(Int(Place.height))",
                "aria-labelledby": "\(name) \(text)",
            ],
            [
                .element("title", ["id": name], "\(title): time against people"),
                .element("desc", ["id": text], words.joined(separator: "; ")),
            ] + axes + curves.enumerated().flatMap { line($1.curve, $1.label, number: $0) })
        let legend = curves.enumerated().map { index, curve in
            Markup.element(
                "li",
                [
                    .element(
                        "svg", ["class": "key", "aria-hidden": "true", "viewBox": "0 0 24 8"],
                        [
                            .empty(
                                "line",
                                [
                                    "x1": "0", "x2": "24", "y1": "4", "y2": "4",
                                    "class": curve.curve.role.rawValue,
                                    "stroke-dasharray": Self.dashes(index),
                                ])
                        ]),
                    Markup(" \(curve.label): \(Self.words(curve.curve))"),
                ])
        }
        return .element("figure", [chart, .element("ul", ["class": "legend"], legend)])
    }

    private static func words(_ curve: Growth.Curve) -> String {
        let exponent = "exponent \(FigureText.fixed(curve.exponent, decimals: 2))"
        guard curve.role == .engine, curve.isTooFast else { return exponent }
        return exponent + ", faster than its work (\(FigureText.fixed(curve.work, decimals: 2)))"
    }

    /// Lines of one color have different dashes.
    private static func dashes(_ number: Int) -> String {
        let patterns = ["none", "6 3", "2 3", "8 3 2 3", "1 2", "10 4"]
        return patterns[number % patterns.count]
    }

    private var axes: [Markup] {
        let decades = Int(times.low)...Int(times.high)
        let horizontal = decades.flatMap { decade -> [Markup] in
            let height = Self.pixel(y(Double(decade)))
            return [
                .empty(
                    "line",
                    [
                        "x1": "\(Place.left)", "x2": "\(Place.right)", "y1": height, "y2": height,
                        "class": "grid",
                    ]),
                .element(
                    "text",
                    ["x": "\(Place.left - 5)", "y": height, "dy": "4", "class": "tick end"],
                    FigureText.duration(pow(10, Double(decade)))),
            ]
        }
        let sizes = Set(curves.flatMap(\.curve.points).map(\.people)).sorted()
        let vertical = sizes.map { size in
            Markup.element(
                "text",
                [
                    "x": Self.pixel(x(log10(Double(size)))), "y": "\(Place.bottom + 16)",
                    "class": "tick middle",
                ], FigureText.people(size))
        }
        return horizontal + vertical
    }

    private func line(_ curve: Growth.Curve, _ label: String, number: Int) -> [Markup] {
        let places = curve.points.map {
            (Self.pixel(x(log10(Double($0.people)))), Self.pixel(y(log10($0.seconds))))
        }
        let path = Markup.element(
            "polyline",
            [
                "points": places.map { "\($0),\($1)" }.joined(separator: " "),
                "class": curve.role.rawValue, "stroke-dasharray": Self.dashes(number),
            ], [.element("title", "\(label): \(Self.words(curve))")])
        let dots = places.map { place in
            Markup.empty(
                "circle",
                ["cx": place.0, "cy": place.1, "r": "2.5", "class": curve.role.rawValue])
        }
        return [path] + dots
    }

    private static func pixel(_ place: Double) -> String { FigureText.fixed(place, decimals: 1) }
}
