/// A table that scrolls on its own on a narrow page.
struct HTMLTable {
    struct Row {
        let cells: [String]
        /// The class of the last cell.
        let kind: String?
        /// The columns whose text may wrap.
        let long: Set<Int>

        init(_ cells: [String], kind: String? = nil, long: Set<Int> = []) {
            (self.cells, self.kind, self.long) = (cells, kind, long)
        }
    }

    private let label: String
    private let titles: [String]
    private let rows: [Row]

    init(_ label: String, _ titles: [String], _ rows: [Row]) {
        (self.label, self.titles, self.rows) = (label, titles, rows)
    }

    var markup: Markup {
        let head = titles.map { Markup.element("th", ["scope": "col"], $0) }
        // The table can be focused, so that it scrolls with the keyboard, too.
        return .element(
            "div", ["class": "scroll", "tabindex": "0", "role": "region", "aria-label": label],
            [
                .element(
                    "table",
                    [
                        .element("thead", [.element("tr", head)]),
                        .element("tbody", rows.map(Self.markup)),
                    ])
            ])
    }

    private static func markup(_ row: Row) -> Markup {
        .element(
            "tr",
            row.cells.enumerated().map { column, cell in
                if column == 0 { return .element("th", ["scope": "row"], cell) }
                var classes = row.long.contains(column) ? ["long"] : []
                if column == row.cells.count - 1, let kind = row.kind { classes.append(kind) }
                guard !classes.isEmpty else { return .element("td", cell) }
                return .element("td", ["class": classes.joined(separator: " ")], cell)
            })
    }
}

/// A section of the page, linked from the list at its top.
struct HTMLSection {
    let id: String
    let title: String
    let content: [Markup]

    init(id: String, title: String, _ content: [Markup]) {
        (self.id, self.title, self.content) = (id, title, content)
    }

    var markup: Markup {
        .element(
            "section", ["aria-labelledby": id], [.element("h2", ["id": id], title)] + content)
    }

    static func navigation(_ sections: [HTMLSection]) -> Markup {
        let items = sections.map { section in
            Markup.element("li", [.element("a", ["href": "#\(section.id)"], section.title)])
        }
        return .element("nav", ["aria-label": "Sections"], [.element("ul", items)])
    }
}
