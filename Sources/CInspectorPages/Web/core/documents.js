// The documents of a collection: pages by key, columns guessed from the schema, filters.

const pageSize = 200;
const bodiesLimit = 3_000_000;
const bodyLimit = 100_000;

function filtersOf(params) {
	return {pattern: params.get("pattern") ?? "", where: params.get("where") ?? "", seq: params.get("seq") === "1",
		desc: params.get("desc") === "1", deleted: params.get("deleted") === "1", conflicts: params.get("conflicts") === "1"};
}

async function documents(ctx) {
	const filters = filtersOf(ctx.params);
	const path = (parameters) => ctx.data("documents", {...filters, ...parameters});
	const readPage = pageReader(filters, path, ctx.signal);
	let failure;
	const [rows, colls] = await Promise.all([readPage(null, 0).catch((error) => {
		// The form stays for another condition. A pattern without documents is not found.
		if (error.status === 404 && filters.pattern) return [];
		if (error.status !== 400 && error.status !== 422) throw error;
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
		for (const [start, end] of smallRuns(next)) {
			const withBodies = await readPage(next[start - 1] ?? last, number + start, {body: true, limit: end - start}).catch(() => []);
			const bodies = new Map(withBodies.map((row) => [row.id, row.body ?? new Map()]));
			for (const row of next.slice(start, end)) row.body = bodies.get(row.id);
		}
		table.redraw();
	}

	table.set(rows);
	if (rows.length < pageSize) {table.isAtEnd = true; table.redraw();}
	// The IDs are shown first.
	const bodies = painted().then(() => readBodies(rows, null, 0));
	bodies.then(() => get(ctx.data("schema", {limit: 200}), {signal: ctx.signal, quiet: true})).then((schema) => table.setColumns(tableColumns(ctx, guessColumns(schema)))).catch(() => {});

	return page(ctx.coll, {wide: true, json: path({limit: pageSize}), tabs: ctx,
		subtitle: summary(own, filters, () => countAll(path)),
		actions: [session.writable && link(ctx.to("document", {new: true}), "New document", "button primary")]},
	filterForm(ctx, filters), failure ?? table.element);
}

function painted() {
	return new Promise((resolve) => {requestAnimationFrame(() => setTimeout(resolve));});
}

function pageReader(filters, path, signal) {
	return async (last, number, extra = {}) => {
		const place = filters.seq ? {offset: number || null} : {after: last?.id};
		return (await get(path({limit: pageSize, ...place, ...extra}), {signal, quiet: number > 0 || Boolean(extra.body)})).documents;
	};
}

/** The ranges of rows whose bodies are read: those between large ones, which would hold up all others. */
function smallRuns(rows) {
	const runs = [];
	let rest = bodiesLimit;
	rows.forEach((row, index) => {
		if (row.bytes > Math.min(bodyLimit, rest)) return;
		rest -= row.bytes;
		if (runs.at(-1)?.[1] === index) runs.at(-1)[1] += 1;
		else runs.push([index, index + 1]);
	});
	return runs.slice(0, 8);
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
	return [
		{title: "ID", cell: (row) => idLink(ctx.doc(row.id), row.id)},
		...paths.map((path) => ({title: path.join("."), cell: (row) => row.body ? cell(valueAt(row.body, path)) : dim("…")})),
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
