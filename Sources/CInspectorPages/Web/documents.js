// The documents of a collection: pages by key, columns guessed from the schema, filters.

import {get, session} from "./api.js";
import {button, check, dim, field, h, isolated, link, problem, revisionLabel, select} from "./dom.js";
import {bytes, count, plural, time} from "./format.js";
import {brief} from "./json.js";
import {collectionsOf, page} from "./shell.js";
import {Table} from "./table.js";
import {cell} from "./tree.js";

const pageSize = 200;
const bodyLimit = 3_000_000;

function filtersOf(params) {
	return {pattern: params.get("pattern") ?? "", where: params.get("where") ?? "", seq: params.get("seq") === "1",
		desc: params.get("desc") === "1", deleted: params.get("deleted") === "1", conflicts: params.get("conflicts") === "1"};
}

export async function view(ctx) {
	const filters = filtersOf(ctx.params);
	const path = (parameters) => ctx.data("documents", {...filters, ...parameters});
	const readPage = pageReader(filters, path, ctx.signal);
	let failure;
	const [rows, colls] = await Promise.all([readPage(null, 0).catch((error) => {
		// The form stays for another condition.
		if (error.status !== 400) throw error;
		failure = problem(error.message);
		return [];
	}), collectionsOf(ctx.db)]);
	const own = colls.find((coll) => coll.collection === ctx.coll);
	const table = new Table({
		label: `Documents of ${ctx.coll}`, columns: tableColumns(ctx, []),
		open: (row) => ctx.go(ctx.doc(row.id)),
		rowClass: (row) => row.flags.includes("deleted") ? "deleted" : null,
		empty: emptyText(ctx, filters),
		more: async (last, number) => {
			if (number > 0 && number % pageSize !== 0) return [];
			const next = await readPage(last, number);
			readBodies(next, last, number);
			return next;
		},
	});

	async function readBodies(next, last, number) {
		const size = next.reduce((sum, row) => sum + row.bytes, 0);
		if (next.length === 0) return;
		const isLarge = size > bodyLimit;
		const withBodies = isLarge ? [] : await readPage(last, number, {body: true}).catch(() => []);
		const bodies = new Map(withBodies.map((row) => [row.id, row.body]));
		for (const row of next) Object.assign(row, {isLarge, body: bodies.get(row.id)});
		table.redraw();
	}

	table.set(rows);
	if (rows.length < pageSize) {table.isAtEnd = true; table.redraw();}
	const bodies = readBodies(rows, null, 0);
	get(ctx.data("schema", {limit: 200}), {signal: ctx.signal, quiet: true}).then(async (schema) => {
		await bodies;
		table.setColumns(tableColumns(ctx, guessColumns(schema)));
	}).catch(() => {});

	return page(ctx.coll, {wide: true, json: path({limit: pageSize}), tabs: [ctx, "documents"],
		subtitle: summary(own, filters, () => countAll(path)),
		actions: [session.writable && link(ctx.to("document", {new: true}), "New document", "button primary")]},
	filterForm(ctx, filters), failure ?? table.element);
}

function pageReader(filters, path, signal) {
	return async (last, number, extra = {}) => {
		const byNumber = filters.seq || filters.where;
		const place = byNumber ? {offset: number || null} : {after: last?.id};
		return (await get(path({limit: pageSize, ...place, ...extra}), {signal, quiet: number > 0 || Boolean(extra.body)})).documents;
	};
}

function emptyText(ctx, filters) {
	if (filters.pattern || filters.where || filters.deleted || filters.conflicts)
		return h("span", "No documents match the filter. ", link(ctx.to("documents"), "Show all documents"));
	return h("span", "This collection has no documents. ", session.writable
		? [link(ctx.to("document", {new: true}), "Create one"), " or ", link(ctx.to("import"), "import a file"), "."]
		: "Start the server with --writable to create or import some.");
}

function summary(coll, filters, countMatches) {
	const isFiltered = filters.pattern || filters.where || filters.conflicts;
	if (!isFiltered) return coll ? `${plural(coll.documents, "document")}, ${count(coll.deleted)} deleted, last sequence ${count(coll.lastSequence)}` : null;
	const box = h("span", button("Count matches", async () => {
		box.textContent = "Counting…";
		box.textContent = await countMatches().catch((error) => error.message);
	}, "small"));
	return box;
}

async function countAll(path) {
	const answer = await get(path({count: true, desc: null, seq: null}));
	return `${plural(answer.count, "document")} match`;
}

function tableColumns(ctx, paths) {
	const href = (row) => ctx.doc(row.id);
	return [
		{title: "ID", cell: (row) => link(href(row), isolated(brief(row.id, 60)), {title: row.id, tabindex: -1})},
		...paths.map((path) => ({title: path.join("."), cell: (row) => row.isLarge ? dim("…") : cell(valueAt(row.body, path))})),
		{title: "Flags", cell: (row) => flags(ctx, row)},
		{title: "Size", isNumber: true, cell: (row) => bytes(row.bytes)},
		{title: "Sequence", isNumber: true, cell: (row) => String(row.sequence)},
		{title: "Revision", cell: (row) => revisionLabel(row.revision)},
	];
}

function flags(ctx, row) {
	const tags = row.flags.map((flag) => flag === "conflicted"
		? link(ctx.to("conflict", {id: row.id}), "conflict", {class: "tag danger", tabindex: -1})
		: h("span", {class: flag === "deleted" ? "tag danger" : "tag"}, flag));
	if (row.expiration) tags.push(h("span.tag", {title: `Expires ${time(row.expiration)}`}, "expires"));
	return tags;
}

function filterForm(ctx, filters) {
	const apply = (changes) => ctx.go(ctx.to("documents", {...filters, ...read(), ...changes}));
	const pattern = h("input", {value: filters.pattern, "data-filter": true, placeholder: "person-00*", spellcheck: "false"});
	const where = h("input", {value: filters.where, placeholder: "age > 80 AND active", spellcheck: "false", class: "mono"});
	const read = () => ({pattern: pattern.value.trim(), where: where.value.trim()});
	const order = select([["id", "ID"], ["id-desc", "ID, descending"], ["seq", "Sequence"], ["seq-desc", "Latest change first"]],
		(filters.seq ? "seq" : "id") + (filters.desc ? "-desc" : ""),
		(value) => apply({seq: value.startsWith("seq"), desc: value.endsWith("desc")}));
	return h("form.filters", {role: "search", "aria-label": "Filter documents", on: {submit: (event) => {event.preventDefault(); apply({});}}},
		field("ID pattern", pattern), field("Condition (SQL++)", where, null, "field wide"), field("Order", order),
		check("Deleted", filters.deleted, (value) => apply({deleted: value})),
		check("Conflicts only", filters.conflicts, (value) => apply({conflicts: value})),
		h("button", "Apply"));
}

function candidates(schema) {
	const list = [];
	const add = (properties, prefix) => {
		for (const [key, item] of Object.entries(properties ?? {})) {
			const path = [...prefix, key];
			if (item.properties && path.length < 2) add(item.properties, path);
			else list.push({path, share: (item["x-count"] ?? 0) / (schema["x-count"] || 1), isSimple: !item.items && !item.properties});
		}
	};
	add(schema.properties, []);
	return list;
}

function guessColumns(schema) {
	const all = candidates(schema);
	const simple = all.filter((item) => item.isSimple && item.share >= 0.2);
	return (simple.length ? simple : all).slice(0, 5).map((item) => item.path);
}

function valueAt(body, path) {
	return path.reduce((value, key) => value instanceof Map ? value.get(key) : undefined, body);
}
