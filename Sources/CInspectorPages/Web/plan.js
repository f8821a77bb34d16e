// The plan of a query as a picture, and the indexes that would help.

import {button, copy, dim, h, plural, row, seconds} from "./app.js";

const names = {scan: "full scan", indexScan: "index scan", words: "full-text search", elements: "array elements", other: "step"};

export function planView(answer, create, measure) {
	const {advice} = answer;
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
		h("pre.code", {tabindex: 0}, item.command ?? item.swift),
		row(item.command && create && button("Create index", () => create(item), "primary"),
			item.command && button("Copy command", () => copy(item.command)), item.swift && button("Copy Swift", () => copy(item.swift))));
}

function steps(list) {
	return h("ol.steps", list.map((step) => h("li", h("div", {class: `step ${step.kind}`, title: step.detail},
		h("strong.kind", names[step.kind] ?? step.kind), step.estimatedRows !== undefined && h("span.rows", `about ${plural(step.estimatedRows, "row")}`),
		h("div", step.text), step.index && !step.text.includes(step.index) && dim(`index ${step.index}`), step.reasons.map((reason) => h("div.reason", reason))),
	step.steps.length > 0 && steps(step.steps))));
}
