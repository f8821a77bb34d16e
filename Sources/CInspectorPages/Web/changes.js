// The changes of a database as they happen.

import {address, brief, button, bytes, collectionsOf, dim, field, h, idLink, isolated, page, plural, problem, replace, revisionLabel, select, stream, Table, time, versionTime, write} from "./app.js";

const kept = 1000;

export async function view(ctx) {
	const colls = (await collectionsOf(ctx.db)).map((coll) => coll.collection);
	const chosen = ctx.params.get("collection") ?? "";
	const state = {all: [], waiting: [], isPaused: false, text: ""};
	const to = (item) => ctx.doc(item.id, item.collection);
	const table = new Table({label: "Changes", columns: columns(to), rowClass: (item) => item.deleted ? "deleted" : null,
		open: (item) => item.id && ctx.go(to(item)), empty: "No changes yet. They appear here when a process writes to the database. Documents can be ordered by latest change."});
	const status = h("span.dim.check", {role: "status"});
	const pause = button("Pause", () => {state.isPaused = !state.isPaused; draw();}, {"aria-pressed": "false"});
	const filter = h("input", {"data-filter": true, placeholder: "ID, revision or text", on: {input: () => {state.text = filter.value.toLowerCase(); draw();}}});
	function draw() {
		if (!state.isPaused) state.all = [...state.waiting.splice(0).reverse(), ...state.all].slice(0, kept);
		pause.textContent = state.isPaused ? "Continue" : "Pause";
		pause.setAttribute("aria-pressed", String(state.isPaused));
		status.textContent = state.isPaused ? `Paused, ${plural(state.waiting.length, "change")} waiting` : "Following changes";
		table.update(state.text ? state.all.filter((item) => searchText(item).includes(state.text)) : state.all);
	}
	const note = h("div");
	follow(ctx, chosen, state, draw, note);
	draw();
	return page("Changes", {wide: true, json: address([ctx.db, chosen || "_default", "documents.json"], {seq: true, desc: true, limit: 50}),
		actions: [pause]}, h("div.filters", field("Filter", filter), field("Collection", select([["", "All"], ...colls.map((name) => [name, name])], chosen,
		(value) => ctx.go(ctx.dbTo("watch", {collection: value})))), status), note, table.element);
}

function searchText(item) {
	return `${item.collection} ${item.id ?? ""} ${item.revision ?? ""} ${item.document ? write(item.document).slice(0, 5000) : ""}`.toLowerCase();
}

async function follow(ctx, chosen, state, draw, note) {
	const path = address(chosen ? [ctx.db, chosen, "changes"] : [ctx.db, "changes"], {since: "now"});
	let timer = null;
	const later = () => {timer ??= setTimeout(() => {timer = null; draw();}, 150);};
	try {
		await stream(path, (item) => {
			if (state.waiting.length >= kept) state.waiting.shift();
			state.waiting.push(item);
			later();
		}, {signal: ctx.signal});
		throw new Error("The stream has ended. Changes from now on may be missing.");
	} catch (error) {
		if (ctx.signal.aborted) return;
		replace(note, problem(error.message, " ", button("Follow again", () => {replace(note); follow(ctx, chosen, state, draw, note);})));
	}
}

function columns(to) {
	return [{title: "Document", cell: (item) => item.purged ? dim(`${plural(item.purged, "document")} purged`) : idLink(to(item), item.id)},
		{title: "Collection", cell: (item) => item.collection},
		{title: "Change", cell: (item) => item.deleted ? h("span.tag.danger", "deleted") : item.purged ? "" : item.flags.join(", ") || "saved"},
		{title: "Sequence", isNumber: true, cell: (item) => String(item.sequence ?? "")},
		{title: "Time", cell: (item) => time(item.time ?? versionTime(item.revision))},
		{title: "Size", isNumber: true, cell: (item) => bytes(item.bytes)},
		{title: "Revision", cell: (item) => revisionLabel(item.revision)},
		{title: "Content", cell: (item) => item.document ? isolated(brief(item.document, 160), "dim") : ""}];
}
