// Indexes: the list, creating one, and the content of one.

import {address, attempt, button, bytes, cell, collectionsOf, confirm, count, dim, empty, facts, field, h, idLink, link, page, plainTable, plural, row, select, send, session, Table, toast} from "./app.js";

const kinds = [["value", "Value"], ["fts", "Full-text"], ["array", "Array"]];

export async function indexes(ctx) {
	const json = ctx.dbData("indexes");
	const [{indexes}, colls] = await Promise.all([ctx.get(json), collectionsOf(ctx.db)]);
	return page("Indexes", {json, subtitle: plural(indexes.length, "index", "indexes")},
		indexes.length ? list(ctx, indexes) : empty("No indexes. Explain a query to see which would help", session.writable ? ", or create one below." : "."),
		session.writable && creation(ctx, colls));
}

function list(ctx, indexes) {
	return plainTable("Indexes", ["Name", "Kind", "Collection", "Expressions", "Condition"], indexes.map((index) =>
		[link(ctx.dbTo("index", {name: index.name}), index.name), index.kind, index.collection,
			h("code", index.path ? `${index.path} ${index.expressions}` : index.expressions), h("code", index.where ?? "")]));
}

function creation(ctx, colls) {
	const input = (placeholder) => h("input.mono", {spellcheck: "false", placeholder});
	const [name, expressions, path, where, language] = [input("byAge"), input("age, name.last"), input("likes"), input("active = TRUE"), input("en")];
	const coll = select(colls.map((item) => [item.collection, item.collection]), "_default");
	const pathField = field("Array path", path);
	const languageField = field("Language", language, "ISO code; empty for none.");
	const kind = select(kinds, "value", (value) => showFields(value));
	const showFields = (value) => {pathField.hidden = value !== "array"; languageField.hidden = value !== "fts";};
	showFields("value");
	const note = h("div");
	async function create(event) {
		event.preventDefault();
		const fields = {name: name.value.trim(), kind: kind.value, expressions: expressions.value.trim(), where: where.value.trim() || undefined,
			array: kind.value === "array" ? path.value.trim() : undefined, language: kind.value === "fts" ? language.value.trim() || undefined : undefined};
		await attempt(note, async () => {
			await send("POST", address([ctx.db, coll.value, "indexes.json"]), fields);
			toast(`Created the index ${fields.name}`);
			ctx.refresh();
		});
	}
	name.required = true;
	return h("details.card", h("summary", "Create an index"), h("form", {on: {submit: create}},
		h("div.form-grid", field("Name", name), field("Collection", coll), field("Kind", kind),
			field("Expressions", expressions, "SQL++, separated by commas; or JSON."), pathField, field("Condition", where, "Optional."), languageField),
		note, row(h("button.primary", "Create index"))));
}

async function removeIndex(ctx, name) {
	try {
		await send("DELETE", ctx.dbData("index", {name}));
		toast(`Deleted the index ${name}`);
		ctx.go(ctx.dbTo("indexes"));
	} catch (error) {
		toast(error.message);
	}
}

export async function index(ctx) {
	const name = ctx.params.get("name") ?? "";
	const json = ctx.dbData("index", {name});
	const [index, content] = await Promise.all([ctx.get(json),
		ctx.get(ctx.dbData("index-content", {name, limit: 1000})).catch((error) => ({error: error.message}))]);
	return page(name, {json, wide: true, actions: [link(ctx.dbTo("indexes"), "All indexes", "button"),
		session.writable && button("Delete", async () => {if (await confirm("Delete index?", `Queries no longer use “${name}”. Documents are not changed.`, "Delete")) removeIndex(ctx, name);}, "danger")]},
	definition(index), h("h2", "Content", content.rows?.length < index.rows && dim(`: the first ${count(content.rows.length)} of ${plural(index.rows, "entry", "entries")}`)), contentTable(ctx, index, content));
}

function definition(index) {
	const rows = [["Kind", index.kind], ["Collection", index.collection], ["Expressions", index.expressions], ["Array path", index.path], ["Condition", index.where],
		["Syntax", index.language], ["Entries", count(index.rows)], ["Size", bytes(index.bytes)]];
	return facts(rows);
}

function contentTable(ctx, index, content) {
	if (content.error) return empty(content.error);
	const keys = [...new Set(content.rows.slice(0, 50).flatMap((row) => [...row.keys()]))];
	const to = (row) => ctx.doc(row.get("id"), index.collection);
	const table = new Table({label: "Content of the index", empty: "The index has no entries.", open: (row) => row.has("id") && ctx.go(to(row)), columns: keys.map((key) => ({title: key,
		cell: (row) => key === "id" ? idLink(to(row), row.get("id")) : cell(row.get(key))}))});
	table.set(content.rows);
	return table.element;
}
