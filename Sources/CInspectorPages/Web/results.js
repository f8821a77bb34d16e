// The rows of a query as a table or JSON; of a live query with the latest changes marked.

import {address, button, cell, dialog, h, idLink, plural, rawText, replace, row, save, segments, stream, Table, tree, write} from "./app.js";

export function resultView(ctx, answer) {
	const content = h("div");
	const modes = h("div");
	const open = (mode) => {
		replace(modes, segments([["table", "Table"], ["json", "JSON"]], mode, open));
		replace(content, mode === "json" ? rawText(answer.rows) : resultTable(ctx, answer).element);
	};
	open("table");
	return h("div", row(modes,
		button("Save as JSON", () => save("result.json", write(answer.rows, 2), "application/json"), "small"),
		button("Save as CSV", () => save("result.csv", csv(answer), "text/csv"), "small")), content);
}

/** `SELECT *` gives one column of objects: their properties become columns. */
function resultColumns(answer) {
	const spread = [];
	for (const name of answer.columns) {
		const values = answer.rows.slice(0, 50).map((row) => row.get(name)).filter((value) => value !== undefined && value !== null);
		const isObject = values.length > 0 && values.every((value) => value instanceof Map) && answer.columns.length <= 2;
		if (!isObject) {spread.push({title: name, value: (row) => row.get(name)}); continue;}
		const keys = new Set(values.flatMap((value) => [...value.keys()]));
		for (const key of [...keys].slice(0, 30)) spread.push({title: key, value: (row) => row.get(name)?.get?.(key)});
		if (keys.size > 30) spread.push({title: `${name} (all)`, value: (row) => row.get(name)});
	}
	return spread;
}

function resultTable(ctx, answer, rowClass) {
	const columns = resultColumns(answer).map(({title, value}) => ({title, cell: (row) => linked(ctx, title, value(row))}));
	const table = new Table({label: "Rows", columns, rowClass, empty: "The query has no rows.", height: `${Math.min(620, 80 + Math.max(2, answer.rows.length) * 28)}px`,
		open: (row) => showRow(ctx, row)});
	table.set(answer.rows);
	return table;
}

function linked(ctx, title, value) {
	const isID = (title === "id" || title === "_id") && typeof value === "string";
	return isID ? idLink(ctx.doc(value), value) : cell(value);
}

function showRow(ctx, row) {return dialog("Row", h("div.tall", tree(row)));}

function csv(answer) {
	const quote = (text) => /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
	const text = (value) => value === undefined || value === null ? "" : typeof value === "string" ? value : write(value);
	const lines = [answer.columns.map(quote), ...answer.rows.map((row) => answer.columns.map((name) => quote(text(row.get(name)))))];
	return lines.map((line) => line.join(",")).join("\r\n") + "\r\n";
}

const markTime = 4000;
const ranks = {removed: 0, inserted: 1, updated: 2, moved: 3};

export async function followLive(ctx, body, output, showStatus, signal) {
	const state = {rows: [], marks: new Map(), isFirst: true};
	const log = h("ol.log", {"aria-label": "Latest changes", "aria-live": "polite"});
	const frame = h("div");
	replace(output, frame, h("h3", "Latest changes"), log);
	let batch = [];
	const flush = () => {
		timer = null;
		for (const part of split(batch)) apply(state, part, log);
		batch = [];
		state.isFirst = false;
		draw(ctx, state, frame);
		showStatus(`Live, ${plural(state.rows.length, "row")}`);
	};
	showStatus("Live, waiting for the first result");
	// A result without rows is no event.
	let timer = setTimeout(flush, 1000);
	try {
		await stream(address([ctx.db, ctx.coll, "live"]), (event) => {
			if (batch.push(event) === 1 && state.isFirst) {clearTimeout(timer); timer = null;}
			timer ??= setTimeout(flush, 60);
		}, {signal, method: "POST", body});
	} finally {
		clearTimeout(timer);
		if (batch.length) flush();
	}
}

/** Events of one change come in a fixed order. A step back in it begins the next change. */
function split(events) {
	const parts = [[]];
	let last = null;
	for (const event of events) {
		const isNext = last && (ranks[event.change] < ranks[last.change] || (event.change === last.change && event.position <= last.position));
		if (isNext) parts.push([]);
		parts[parts.length - 1].push(event);
		last = event;
	}
	return parts;
}

/** Positions of removed rows are those before the change, all others those after it. */
function apply(state, events, log) {
	const by = (change) => events.filter((event) => event.change === change);
	const keyOf = (event) => event.id ?? write(event.row);
	const removed = new Set(by("removed").map((event) => event.position));
	// An updated row with an ID may also have moved.
	const leaving = [...by("moved"), ...by("updated").filter((event) => event.id)];
	const keys = leaving.map(keyOf);
	const rest = state.rows.filter((entry, index) => {
		const place = removed.has(index) ? -1 : keys.indexOf(keyOf(entry));
		if (place >= 0) keys.splice(place, 1);
		return place < 0 && !removed.has(index);
	});
	const rows = [];
	for (const event of [...by("inserted"), ...leaving].sort((a, b) => a.position - b.position)) {
		while (rows.length < event.position && rest.length) rows.push(rest.shift());
		rows.push(event);
	}
	rows.push(...rest);
	for (const event of by("updated")) if (!event.id) rows[event.position] = event;
	state.rows = rows;
	if (state.isFirst) return;
	for (const event of events) {
		if (event.change !== "removed") mark(state, event.row, event.change);
		log.prepend(h("li", {class: event.change}, h("span", {class: `tag ${event.change}`}, event.change), " ", write(event.row).slice(0, 300)));
		while (log.children.length > 50) log.lastChild.remove();
	}
}

function mark(state, row, change) {
	state.marks.set(row, change);
	setTimeout(() => {state.marks.delete(row); state.table?.redraw();}, markTime);
}

function draw(ctx, state, frame) {
	const rows = state.rows.map((entry) => entry.row);
	const columns = [...new Set(rows.slice(0, 50).flatMap((row) => [...row.keys()]))];
	const key = JSON.stringify(columns);
	if (state.table && state.key === key) return state.table.update(rows);
	state.key = key;
	state.table = resultTable(ctx, {columns, rows}, (row) => state.marks.get(row));
	replace(frame, state.table.element);
}
