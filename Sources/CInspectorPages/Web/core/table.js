// A table of any number of rows: only the visible ones are in the page, and further ones are read
// when the end comes near. All rows have the same height, so that the position of each is known.

const rowHeight = 28;
const around = 15;
let tableCount = 0;

/**
 * Columns: `title`, `cell(row, index)` giving text or a node, and optionally `isNumber`.
 * `more()` gives the next rows, or an empty list at the end. `open(row)` is called by Enter.
 */
export class Table {
	constructor({label, columns, open, more, rowClass, empty, height}) {
		Object.assign(this, {columns, open, more, rowClass});
		this.name = `table-${++tableCount}`;
		this.rows = [];
		this.drawn = new Map();
		this.selected = -1;
		this.isAtEnd = !more;
		this.head = h("thead");
		this.body = h("tbody");
		this.table = h("table", {role: "grid", "aria-label": label}, this.head, this.body);
		this.empty = h("div.empty", {hidden: true}, empty ?? "No rows.");
		this.box = h("div.grid", {tabindex: 0, role: "group", "aria-label": `${label}, use the arrow keys`, "data-keys": true,
			style: height ? {height} : {}, on: {scroll: () => this.draw(), keydown: (event) => this.key(event)}}, this.table);
		this.element = h("div.grid-frame", this.box, this.empty);
		this.body.addEventListener("click", (event) => this.click(event, false));
		this.body.addEventListener("dblclick", (event) => this.click(event, true));
		this.setColumns(columns);
		let width;
		new ResizeObserver(() => {
			const before = width;
			width = this.box.clientWidth;
			if (before === undefined || before === width) this.draw();
			else this.setColumns(this.columns);
		}).observe(this.box);
	}

	setColumns(columns) {
		this.columns = columns;
		this.table.classList.remove("fixed");
		this.table.style.width = "";
		this.isFixed = false;
		replace(this.head, h("tr", columns.map((column) =>
			h("th", {scope: "col", class: column.isNumber ? "right" : null}, h("bdi", column.title)))));
		this.redraw();
	}

	set(rows) {
		this.rows = rows;
		this.selected = -1;
		this.box.scrollTop = 0;
		this.redraw();
	}

	/** Replaces the rows, and keeps the position and the selected one. */
	update(rows) {
		const selected = this.rows[this.selected];
		const {scrollTop} = this.box;
		this.rows = rows;
		this.selected = rows.indexOf(selected);
		this.redraw();
		this.box.scrollTop = scrollTop;
	}

	add(rows) {
		this.rows.push(...rows);
		this.redraw(false);
	}

	redraw(isForgetting = true) {
		if (isForgetting) this.drawn.clear();
		this.range = null;
		this.draw();
	}

	draw() {
		const count = this.rows.length;
		this.empty.hidden = count > 0 || !this.isAtEnd;
		this.table.setAttribute("aria-rowcount", this.isAtEnd ? count + 1 : -1);
		const height = this.box.clientHeight || 600;
		// At first only what is seen.
		const margin = this.isFixed ? around : 2;
		const first = Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - margin);
		const last = Math.min(count, Math.ceil((this.box.scrollTop + height) / rowHeight) + margin);
		if (count && last > count - 40) this.readMore();
		if (this.range && this.range[0] === first && this.range[1] === last) return;
		this.range = [first, last];
		const shown = new Map();
		for (let index = first; index < last; index += 1) shown.set(index, this.drawn.get(index) ?? this.row(index));
		this.drawn = shown;
		replace(this.body, spacer(first), [...shown.values()], spacer(count - last));
		if (count > 0 && !this.isFixed) requestAnimationFrame(() => this.fixWidths());
	}

	/** Columns keep the widths of the first rows: otherwise they would jump while scrolling. */
	fixWidths() {
		if (this.isFixed || !this.box.isConnected) return;
		const widths = [...this.head.rows[0].cells].map((cell) => Math.ceil(cell.getBoundingClientRect().width));
		[...this.head.rows[0].cells].forEach((cell, index) => cell.style.setProperty("width", `${widths[index]}px`));
		this.table.style.setProperty("width", `${widths.reduce((sum, width) => sum + width, 0)}px`);
		this.table.classList.add("fixed");
		this.isFixed = true;
	}

	row(index) {
		const row = this.rows[index];
		return h("tr", {id: `${this.name}-${index}`, "data-index": index, "aria-rowindex": index + 2,
			"aria-selected": String(index === this.selected), class: this.rowClass?.(row)},
		this.columns.map((column, place) => h(place ? "td" : "th", {scope: place ? null : "row",
			class: column.isNumber ? "right" : null}, column.cell(row, index))));
	}

	async readMore() {
		if (this.isAtEnd || this.isReading) return;
		this.isReading = true;
		try {
			const rows = await this.more(this.rows[this.rows.length - 1], this.rows.length);
			if (rows.length === 0) this.isAtEnd = true;
			this.isReading = false;
			this.add(rows);
		} catch (error) {
			this.isReading = false;
			if (error.name !== "AbortError") this.fail(error);
		}
	}

	fail(error) {
		this.isAtEnd = true;
		const again = button("Try again", () => {note.remove(); this.isAtEnd = false; this.readMore();});
		const note = problem(h("span", error.message), again);
		this.element.append(note);
		this.empty.hidden = true;
	}

	select(index) {
		const old = this.selected;
		this.selected = Math.max(0, Math.min(this.rows.length - 1, index));
		const top = this.selected * rowHeight;
		const view = this.box.clientHeight - this.head.offsetHeight;
		if (top < this.box.scrollTop) this.box.scrollTop = top;
		else if (top + rowHeight > this.box.scrollTop + view) this.box.scrollTop = top + rowHeight - view;
		this.draw();
		this.drawn.get(old)?.setAttribute("aria-selected", "false");
		this.drawn.get(this.selected)?.setAttribute("aria-selected", "true");
		this.box.setAttribute("aria-activedescendant", `${this.name}-${this.selected}`);
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey || this.rows.length === 0 || event.target !== this.box) return;
		const pageSize = Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 2);
		const steps = {ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: pageSize, PageUp: -pageSize, Home: -Infinity, End: Infinity};
		if (event.key in steps) this.select(this.selected + steps[event.key]);
		else if (event.key === "Enter" && this.selected >= 0) this.open?.(this.rows[this.selected]);
		else return;
		event.preventDefault();
	}

	click(event, isOpening) {
		const element = event.target.closest("tr[data-index]");
		if (!element || event.target.closest("a, button, input")) return;
		this.select(Number(element.dataset.index));
		if (isOpening) this.open?.(this.rows[this.selected]);
	}
}

function spacer(rows) {
	return rows > 0 && h("tr", {"aria-hidden": "true", style: {height: `${rows * rowHeight}px`}});
}

/** A short table, all of it in the page. Cells are text or nodes. A title with # is one of numbers. */
export function plainTable(label, titles, rows) {
	const kind = (index) => titles[index].startsWith("#") ? "right" : null;
	return h("div.scroll", region(label), h("table.plain", {"aria-label": label},
		h("thead", h("tr", titles.map((title, index) => h("th", {scope: "col", class: kind(index)}, title.replace("#", ""))))),
		h("tbody", rows.map((cells) => h("tr", cells.map((cell, index) =>
			h(index ? "td" : "th", {scope: index ? null : "row", class: kind(index)}, cell)))))));
}
