// The plan of a query as a picture, and the indexes that would help.

import {button, copy, dim, h, row} from "./dom.js";
import {plural, seconds} from "./format.js";

const names = {scan: "full scan", indexScan: "index scan", fullTextSearch: "full-text search", elements: "array elements", other: "step"};

export function planView(answer, create, measure) {
	const advice = answer.advice.map((item) => ({...item, ...definition(item.command)}));
	return h("div", h("p", {class: answer.scansDocuments ? "notice warn" : "notice good"},
		answer.scansDocuments ? "The query reads every document." : answer.indexes.length ? `The query uses: ${answer.indexes.join(", ")}.` : "The query does not read every document."),
	h("section.picture", {"aria-label": "Plan"}, steps(answer.plan)),
	advice.length > 0 && h("section", h("h3", "Indexes that would help"), advice.map((item) => adviceCard(item, create)),
		measure && advice[0].secondsWith === undefined && button("Measure in a copy", measure)),
	text("SQL++", answer.query), text("SQL that SQLite runs", answer.sql));
}

function text(title, content) {
	return content && h("details", h("summary", title), h("pre.code", {tabindex: 0}, content), button("Copy", () => copy(content), "small"));
}

function adviceCard(item, create) {
	return h("div.card", h("p", h("strong", item.name), ` on ${item.collection}: ${item.reason}.`),
		item.secondsWith !== undefined && h("p", `${seconds(item.secondsWithout)} without, ${seconds(item.secondsWith)} with it; ${seconds(item.secondsToMake)} to create`),
		h("pre.code", {tabindex: 0}, item.command),
		row(create && button("Create index", () => create(item), "primary"),
			button("Copy command", () => copy(item.command)), item.swift && button("Copy Swift", () => copy(item.swift))));
}

function definition(command) {
	const words = [...command.matchAll(/'((?:[^']|'\\'')*)'|(\S+)/g)].map((match) => match[2] ?? match[1].replaceAll("'\\''", "'"));
	const result = {expressions: [], where: undefined, array: undefined};
	for (let index = 4; index < words.length; index += 1) {
		if (words[index] === "--where") result.where = words[++index];
		else if (words[index] === "--array") result.array = words[++index];
		else if (words[index].startsWith("--")) index += 1;
		else result.expressions.push(words[index]);
	}
	return {...result, expressions: result.expressions.join(" ")};
}

function steps(list) {
	return h("ol.steps", list.map((step) => h("li", h("div", {class: `step ${step.kind}`, title: step.detail},
		h("strong.kind", names[step.kind] ?? step.kind), step.estimatedRows !== undefined && h("span.rows", `about ${plural(step.estimatedRows, "row")}`),
		h("div", step.text), step.index && !step.text.includes(step.index) && dim(`index ${step.index}`), step.reasons.map((reason) => h("div.reason", reason))),
	step.steps.length > 0 && steps(step.steps))));
}
