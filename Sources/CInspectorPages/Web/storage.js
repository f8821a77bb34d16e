// How the database uses disk space, and a complete check of it.

import {attempt, button, bytes, count, dim, h, isolated, link, page, percent, plainTable, plural, replace, section, time} from "./app.js";

export async function stat(ctx) {
	const json = ctx.dbData("stat");
	const stat = await ctx.get(json);
	const of = (type) => stat.trees.filter((item) => item.type === type).reduce((sum, item) => sum + item.bytes, 0);
	const shown = stat.trees.filter((tree, index) => index < 10 || tree.bytes > stat.pageBytes).slice(0, 40);
	const [tables, indexes] = [of("table"), of("index")];
	const whole = [["Tables", tables, "a"], ["Indexes", indexes, "b"], ["Free pages", stat.freeBytes, "c"], ["Pointer maps", stat.bytes - tables - indexes - stat.freeBytes, "c"], ["WAL", stat.walBytes, "d"], ["Blobs", stat.blobBytes, "e"]];
	return page("Storage", {json, subtitle: `${bytes(stat.bytes)} in ${plural(stat.pages, "page")} of ${count(stat.pageBytes)} B`},
		section("Files", stacked(whole)),
		section("Collections", bars(stat.stores.map((store) => [store.store, [[store.tableBytes, "a"], [store.indexBytes, "b"]], plural(store.documents, store.store === "info" ? "row" : "document")])), legend([["Tables", "a"], ["Indexes", "b"]])),
		section("Tables and indexes", bars(shown.map((tree) => [tree.name, [[tree.bytes - tree.unusedBytes, tree.type === "table" ? "a" : "b"], [tree.unusedBytes, "c"]], `${percent(tree.unusedBytes / (tree.bytes || 1))} unused`])),
			legend([["Table", "a"], ["Index", "b"], ["Unused in pages", "c"]]), stat.trees.length > shown.length && dim(`${stat.trees.length - shown.length} smaller ones are in the JSON.`)),
		stat.collections.map(collection));
}

function collection(coll) {
	return coll.documents + coll.deleted > 0 && section(`Properties of ${coll.collection} by size`,
		bars(coll.properties.map((item) => [item.name, [[item.bytes, "a"]], percent(item.share)])));
}

function legend(items) {return h("ul.legend", items.map(([label, kind]) => h("li", h("i", {class: `swatch fill-${kind}`}), label)));}

function stacked(parts) {
	const total = parts.reduce((sum, part) => sum + part[1], 0) || 1;
	return [bar(parts.map(([, value, kind]) => [value, kind]), total), h("ul.legend", parts.map(([label, value, kind]) =>
		h("li", h("i", {class: `swatch fill-${kind}`}), `${label} ${bytes(value)} `, dim(percent(value / total)))), h("li", `Total ${bytes(total)}`))];
}

/** Parts beside each other; `whole` is what would take all of the width. */
function bar(parts, whole) {
	return h("div.bar", parts.map(([value, kind]) => value > 0 && h("i", {class: `fill-${kind}`, style: {width: `${(value / whole) * 100}%`}})));
}

/** Bars with their names above them, so that long names have space on a narrow screen. */
function bars(rows) {
	const sum = (parts) => parts.reduce((total, part) => total + part[0], 0);
	const largest = Math.max(1, ...rows.map((row) => sum(row[1])));
	return h("ul.bars", rows.map(([name, parts, note]) =>
		h("li", dim(`${bytes(sum(parts))}, ${note}`), isolated(name), bar(parts, largest))));
}

export async function verify(ctx) {
	const json = ctx.dbData("verify");
	const output = h("div", {"aria-live": "polite"});
	const start = button("Verify", async () => {
		start.disabled = true;
		replace(output, h("p.dim", "Verifying. This reads the whole database."));
		await attempt(output, async () => replace(output, report(ctx, await ctx.get(json))));
		start.disabled = false;
		start.textContent = "Verify again";
	}, "primary");
	return page("Verify", {json, actions: [start]}, h("p", "Checks SQLite’s pages, the body and revisions of each document, sequences, shared keys, expirations, indexes and blobs. It changes nothing."), output);
}

function report(ctx, answer) {
	const {stores, unchecked} = answer;
	const fixable = answer.findings.filter((finding) => finding.fixable).length;
	const [kind, summary] = !answer.intact ? ["error", plural(answer.errors, "error")]
		: unchecked.length ? ["warn", "No errors, but not everything was checked"] : ["good", "The database is intact"];
	return [h("div", {class: `notice ${kind}`}, `${summary}. `,
		answer.notes > 0 && `${plural(answer.notes, "note")}. `, fixable > 0 && `kvtool verify --fix can fix ${fixable} of them.`),
	unchecked.map((item) => h("p.notice.warn", `Not checked: ${item.subject}: ${item.reason}`)),
	answer.findings.length > 0 && plainTable("Findings", ["Severity", "Collection", "Document or index", "Finding", "Fixable"], answer.findings.map((finding) =>
		[h("span", {class: finding.severity === "error" ? "tag danger" : "tag"}, finding.severity), finding.store ?? "", subject(ctx, finding), finding.message, finding.fixable ? "yes" : "no"])),
	answer.unlisted > 0 && dim(`${count(answer.unlisted)} further findings are not listed.`),
	h("p.dim", `Checked: ${stores.map((store) => `${plural(store.rows, "row")} of ${store.store}`).join(", ")}, ${plural(answer.indexes, "index", "indexes")}, ${plural(answer.blobs, "blob")}, at ${time(Date.now())}`)];
}

function subject(ctx, {store, id, index}) {
	if (index !== undefined) return link(ctx.dbTo("index", {name: index}), index);
	// What else a database stores has no view.
	return id === undefined || store === "info" ? id ?? "" : link(ctx.doc(id, store), isolated(id));
}
