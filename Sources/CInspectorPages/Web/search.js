// Search: words in a full-text index with snippets, or a text in all values.

import {address, attempt, brief, button, dim, empty, field, h, isolated, link, page, plural, replace, row, seconds, select, send, sqlName, visible, write} from "./app.js";

const limit = 100;

export async function view(ctx) {
	const {indexes} = await ctx.get(ctx.dbData("indexes"));
	const fullText = indexes.filter((index) => index.kind === "full-text");
	const text = ctx.params.get("text") ?? "";
	const chosen = ctx.params.get("index") ?? (ctx.params.has("text") ? "" : fullText[0]?.name ?? "");
	const input = h("input", {type: "search", value: text, "data-filter": true, "data-focus": true});
	const where = select([...fullText.map((index) => [index.name, `Index ${index.name} (${index.collection})`]), ["", "All values of all documents"]], chosen);
	const output = h("div", {"aria-live": "polite"});
	const form = h("form", {role: "search", class: "filters", on: {submit: (event) => {
		event.preventDefault();
		if (input.value.trim()) ctx.go(ctx.dbTo("find", {text: input.value.trim()}) + (where.value ? `&index=${encodeURIComponent(where.value)}` : ""));
	}}}, field("Text", input, null, "field wide"), field("Search in", where), h("button.primary", "Search"));
	const index = fullText.find((index) => index.name === chosen);
	if (text) await attempt(output, async () => replace(output, await (index ? wordHits(ctx, text, index) : valueHits(ctx, text))));
	else replace(output, empty(fullText.length ? "In a full-text index: words, prefixes (mach*), OR, NOT, \"in a row\", NEAR/5."
		: "There is no full-text index: the search reads every document. Create a full-text index for large databases."));
	return page("Search", {json: text && !chosen && ctx.dbData("find", {text, limit})}, form, output);
}

async function valueHits(ctx, text) {
	const {hits} = await ctx.get(ctx.dbData("find", {text, limit}));
	if (hits.length === 0) return empty("No matches.");
	const words = [text.toLowerCase()];
	return [h("p.dim", hits.length === limit ? `The first ${limit} matches` : plural(hits.length, "match", "matches")), h("ol.hits", hits.map((hit) =>
		h("li", title(ctx, hit.collection, hit.id), h("div", hit.path && h("code", brief(hit.path, 100)), " ", snippet(typeof hit.value === "string" ? hit.value : write(hit.value ?? ""), words)))))];
}

function title(ctx, collection, id, extra) {
	return row(link(ctx.doc(id, collection), isolated(brief(id, 80))), dim(collection), extra);
}

async function wordHits(ctx, text, index) {
	const name = sqlName(index.name);
	const isJSON = /^\s*[[{]/.test(index.expressions);
	const wanted = isJSON ? "" : index.expressions;
	const query = `SELECT META().id AS id, RANK(${name}) AS rank${wanted ? ", " + wanted : ""} FROM _ WHERE MATCH(${name}, $words) ORDER BY RANK(${name}) DESC`;
	const answer = await send("POST", address([ctx.db, index.collection, "query.json"]), {query, parameters: {words: text}, limit, seconds: 20}, {signal: ctx.signal});
	if (answer.rows.length === 0) return empty("No matches. ", button("Search in all values", () => ctx.go(ctx.dbTo("find", {text}))));
	const words = text.toLowerCase().split(/[^\p{L}\p{N}]+/u).filter((word) => word && !["or", "not", "near", "and"].includes(word)).map(stemOf);
	const columns = answer.columns.slice(2);
	return [h("p.dim", `${answer.rows.length === limit ? `The best ${limit}` : plural(answer.rows.length, "match", "matches")}, ${seconds(answer.seconds)}`),
		h("ol.hits", answer.rows.map((found) => h("li", title(ctx, index.collection, found.get("id"), dim(`rank ${Number(found.get("rank")).toPrecision(3)}`)),
			columns.map((column) => found.get(column) !== undefined && h("div", snippet(asText(found.get(column)), words, "\\p{L}*"))))))];
}

export async function similar(ctx) {
	const {id} = ctx, json = ctx.data("similar", {id, limit}), {documents} = await ctx.get(json);
	return page(["Similar to ", isolated(id)], {json, tabs: ctx, actions: link(ctx.doc(id), "Document", "button")},
		h("ol.hits", documents.map((hit) => h("li", title(ctx, ctx.coll, hit.id, dim(`distance ${Number(hit.distance).toPrecision(3)}`)), h("div", isolated(hit.excerpt))))));
}

function asText(value) {return typeof value === "string" ? value : write(value);}

/** The part of a text around the first match, with all matches marked, and what belongs to them. */
function snippet(whole, words, rest = "") {
	const places = words.map((word) => whole.slice(0, 1_000_000).toLowerCase().indexOf(word)).filter((place) => place >= 0);
	const start = places.length ? Math.max(0, Math.min(...places) - 60) : 0;
	const pattern = new RegExp(`((?:${words.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|") || "(?!)"})${rest})`, "giu");
	return h("bdi", start > 0 ? "…" : "", visible(whole.slice(start, start + 240)).split(pattern).map((part, index) => index % 2 ? h("mark", part) : part), whole.length > start + 240 ? "…" : "");
}

/** A stem matches its longer forms. */
function stemOf(word) {
	return word.length > 4 ? word.replace(/(ings?|ed|es|s)$/, "").replace(/([bdgmnprt])\1$/, "$1") : word;
}
