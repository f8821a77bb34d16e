// The query workbench: the query, and beside it saved queries, history, properties and a reference.

import {address, announce, button, collectionsOf, confirm, dialog, field, forget, h, page, parse, plural, replace, row, seconds, select, send, session, viewPath} from "./app.js";
import {planView} from "./plan.js";
import {followLive, resultView} from "./results.js";

export async function view(ctx) {
	const colls = await collectionsOf(ctx.db);
	const output = h("section", {"aria-label": "Result"});
	const problem = h("div", {role: "alert"});
	const status = h("span.dim", {role: "status"});
	const area = h("textarea.code", {rows: 7, spellcheck: "false", autocapitalize: "off", "data-filter": true, "data-focus": true,
		"aria-label": "Query in SQL++ or JSON", value: ctx.params.get("q") ?? "SELECT META().id, * FROM _ LIMIT 100"});
	const parameters = h("textarea.code", {rows: 2, spellcheck: "false", "aria-label": "Parameters as JSON", placeholder: '{"name": "Ada", "age": 36}', value: ctx.params.get("p") ?? ""});
	const limit = h("input", {type: "number", min: 1, max: 100000, value: ctx.params.get("limit") ?? "1000"});
	const bench = {ctx, area, parameters, limit, output, problem, work: null, say: (text) => replace(status, text)};
	const coll = select(colls.map((item) => [item.collection, `${item.collection} (_)`]), ctx.coll,
		(value) => use({...entryOf(bench), coll: value}), {"aria-label": "Collection for _"});
	const live = button("Live", () => runLive(bench));
	const stop = button("Stop", () => bench.work?.abort(), {hidden: true});
	Object.assign(bench, {stop});
	area.addEventListener("keydown", (event) => {
		if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
		event.preventDefault();
		run(bench);
	});
	const use = (entry) => {
		if (entry.coll && entry.coll !== ctx.coll) return ctx.go(viewPath(ctx.db, entry.coll, "query", {q: entry.q, p: entry.p, limit: limit.value, draft: true}));
		area.value = entry.q;
		parameters.value = entry.p ?? "";
		area.focus();
	};
	ctx.signal.addEventListener("abort", () => bench.work?.abort());
	if (ctx.params.get("q") && !ctx.params.has("draft") && isReading(area.value)) run(bench);
	return page("Query", {wide: true, tabs: ctx},
		h("div.bench", h("div", area, problem,
			h("details", {open: Boolean(parameters.value)}, h("summary", "Parameters"), parameters, h("small.dim", "JSON; used as $name in the query.")),
			row(button(["Run ", h("kbd", "Ctrl ↵")], () => run(bench), "primary"),
				button("Explain", () => explain(bench)), live, stop, coll, h("label", "Limit ", limit), status), output),
		queryBook(ctx, bench, use)));
}

function isReading(text) {return !/^\s*(update|delete|insert|upsert|merge)\b/i.test(text);}

function bodyOf({area, parameters, limit}, extra = true) {
	const text = parameters.value.trim();
	if (text) checkParameters(text);
	const fields = [`"query":${JSON.stringify(area.value)}`];
	if (text) fields.push(`"parameters":${text}`);
	if (extra) fields.push(`"limit":${Number(limit.value) || 1000}`, '"seconds":30');
	return `{${fields.join(",")}}`;
}

function checkParameters(text) {
	let value;
	try {value = parse(text);} catch (error) {throw new Error(`The parameters are not JSON: ${error.message}`);}
	if (!(value instanceof Map)) throw new Error("Parameters must be a JSON object.");
}

function begin(bench) {
	bench.work?.abort();
	bench.work = new AbortController();
	bench.stop.hidden = false;
	replace(bench.problem);
	bench.ctx.setParams({q: bench.area.value, p: bench.parameters.value.trim(), limit: bench.limit.value === "1000" ? null : bench.limit.value, draft: null});
	return bench.work.signal;
}

function end(bench, signal) {
	if (bench.work?.signal === signal) bench.stop.hidden = true;
}

async function perform(bench, work) {
	const signal = begin(bench);
	try {
		await work(signal);
	} catch (error) {
		if (error.name === "AbortError" || signal.aborted) bench.say("Stopped");
		else showError(bench, error);
	} finally {
		end(bench, signal);
	}
}

async function run(bench) {
	if (!isReading(bench.area.value)) {
		if (!session.writable) return showError(bench, new Error("The database is read-only. Start the server with --writable to change documents."));
		if (!await confirm("Change documents?", "This statement changes the documents of the database.", "Run")) return;
	}
	await perform(bench, async (signal) => {
		bench.say("Running…");
		const started = performance.now();
		const answer = await send("POST", bench.ctx.data("query"), bodyOf(bench), {signal});
		remember(bench);
		const duration = seconds(answer.seconds ?? (performance.now() - started) / 1000);
		if (answer.changed !== undefined) {
			forget();
			bench.say(`${plural(answer.changed, "document")} changed, ${duration}`);
			replace(bench.output);
		} else {
			const isCut = answer.rows.length >= (Number(bench.limit.value) || 1000);
			bench.say(`${plural(answer.rows.length, "row")}${isCut ? " (limit reached)" : ""}, ${duration}`);
			replace(bench.output, resultView(bench.ctx, answer));
		}
	});
}

function explain(bench, measure) {
	return perform(bench, async (signal) => {
		bench.say(measure ? "Measuring…" : "");
		const answer = await send("POST", bench.ctx.data("explain"), bodyOf(bench, false).replace("{", measure ? '{"measure":true,' : "{"), {signal});
		bench.say("");
		replace(bench.output, planView(answer, session.writable && ((advice) => createIndex(bench, advice)), session.writable && (() => explain(bench, true))));
		announce("Plan shown");
	});
}

async function createIndex(bench, advice) {
	try {
		const {name, kind, expressions, where, array} = advice;
		bench.say("Creating the index…");
		await send("POST", address([bench.ctx.db, advice.collection, "indexes.json"]), {name, kind, expressions, where, array});
		await explain(bench);
		bench.say(`Created the index ${name}. This is the new plan.`);
	} catch (error) {
		showError(bench, error);
	}
}

function runLive(bench) {
	return perform(bench, async (signal) => {
		bench.say("Live");
		remember(bench);
		await followLive(bench.ctx, bodyOf(bench, false), bench.output, bench.say, signal);
		bench.say("The stream has ended. Run it again to continue.");
	});
}

function showError(bench, error) {
	bench.say("");
	const place = /line (\d+), column (\d+)/.exec(error.message);
	const offset = place && offsetOf(bench.area.value, Number(place[1]), Number(place[2]));
	replace(bench.problem, h("div.notice.error", place && caretLine(bench.area.value, Number(place[1]), Number(place[2])), h("div", error.message)));
	if (!place || document.activeElement?.closest("dialog")) return;
	bench.area.focus();
	bench.area.setSelectionRange(offset, offset);
}

function offsetOf(text, line, column) {
	const before = text.split("\n").slice(0, line - 1).reduce((sum, item) => sum + item.length + 1, 0);
	return before + [...(text.split("\n")[line - 1] ?? "")].slice(0, column - 1).join("").length;
}

function caretLine(text, line, column) {
	const whole = [...(text.split("\n")[line - 1] ?? "")];
	const start = Math.max(0, column - 60);
	return h("pre.caret", {"aria-hidden": "true"}, `${whole.slice(start, start + 100).join("")}\n${" ".repeat(column - 1 - start)}^`);
}

const examples = [
	["All properties", "SELECT META().id, * FROM _ LIMIT 100"],
	["Parameter", "SELECT META().id FROM _ WHERE name.last = $last"],
	["Elements of an array", "SELECT META(d).id, hobby FROM _ AS d UNNEST d.likes AS hobby WHERE hobby = 'music'"],
	["Full text", "SELECT META().id, RANK(byText) FROM _ WHERE MATCH(byText, 'mach* OR \"in a row\"') ORDER BY RANK(byText) DESC"],
	["JSON form", '{"WHAT": [[".name"]], "WHERE": [">", [".age"], 80]}'],
];

const historyKey = "inspector-history";
const savedKey = "inspector-saved";

function load(key) {
	try {
		const list = JSON.parse(localStorage.getItem(key) ?? "[]");
		return Array.isArray(list) ? list : [];
	} catch {
		return [];
	}
}

function store(key, list) {
	try {localStorage.setItem(key, JSON.stringify(list.slice(0, 100)));} catch {/* The storage is full: the list stays as it was. */}
}

function entryOf({ctx, area, parameters}) {
	return {db: ctx.db, coll: ctx.coll, q: area.value, p: parameters.value.trim()};
}

function remember(bench) {
	const entry = entryOf(bench);
	if (entry.q.length > 20_000) return;
	store(historyKey, [entry, ...load(historyKey).filter((item) => item.q !== entry.q || item.db !== entry.db)]);
	bench.drawBook?.();
}

function queryBook(ctx, bench, use) {
	const box = h("aside", {"aria-label": "Saved queries and reference"});
	const history = h("div");
	const saved = h("div");
	bench.drawBook = () => {
		const own = load(historyKey).filter((item) => item.db === ctx.db);
		replace(history, own.length ? [list(own.slice(0, 30).map((item) => entry(item, use)))]
			: h("p.dim", "Queries that you run are listed here."));
		replace(saved, list(load(savedKey).map((item, index) => h("div.row.tight", entry(item, use, item.name),
			button("×", () => {const all = load(savedKey); all.splice(index, 1); store(savedKey, all); bench.drawBook();}, {class: "quiet small", "aria-label": `Remove ${item.name}`})))),
		button("Save this query", () => saveQuery(bench), "small"));
	};
	bench.drawBook();
	replace(box, fold("Saved", saved, true), fold("History", history, false), fold("Reference", list(examples.map(([name, q]) => entry({q}, use, name))), true));
	return box;
}

function fold(title, content, isOpen) {return h("details", {open: isOpen}, h("summary", title), content);}

function list(items) {return h("ul", items.map((item) => h("li", item)));}

function entry(item, use, name) {
	return button([name && h("strong", name), h("span.mono", item.q.length > 160 ? item.q.slice(0, 160) + "…" : item.q)], () => use(item), "quiet entry");
}

async function saveQuery(bench) {
	const input = h("input", {"data-focus": true});
	const answer = await dialog("Save query", field("Name", input), [["Cancel", ""], ["Save", "yes", "primary"]]);
	if (answer !== "yes") return;
	store(savedKey, [{name: input.value || "Query", ...entryOf(bench)}, ...load(savedKey)]);
	bench.drawBook();
}
