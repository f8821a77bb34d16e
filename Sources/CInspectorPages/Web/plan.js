// The plan of a query as a picture, and the indexes that would help.

import {button, copy, h, region, row, s} from "./dom.js";
import {count, seconds} from "./format.js";

const width = 520;
const indent = 26;
const lineHeight = 17;

const names = {scan: "full scan", indexScan: "index scan", search: "search", fullTextSearch: "full-text search", elements: "array elements", sort: "sort", other: "step"};

export function planView(answer, create, measure) {
	const advice = answer.advice.map((item) => ({...item, ...definition(item.command)}));
	return h("div", h("p", {class: answer.scansDocuments ? "notice warn" : "notice good"},
		answer.scansDocuments ? "The query reads every document." : answer.indexes.length ? `The query uses: ${answer.indexes.join(", ")}.` : "The query does not read every document."),
	h("div.scroll.picture", region("Plan"), picture(answer.plan)),
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

function picture(steps) {
	const boxes = [];
	let y = 8;
	const add = (list, depth, parent) => {
		for (const step of list) {
			const lines = linesOf(step, width - depth * indent);
			const box = {step, depth, y, lines, height: 22 + lines.length * lineHeight, parent};
			boxes.push(box);
			y += box.height + 14;
			add(step.steps, depth + 1, box);
		}
	};
	add(steps, 0, null);
	return s("svg", {viewBox: `0 0 ${width + 16} ${y}`, width: width + 16, height: y, role: "img", "aria-label": describe(steps)},
		boxes.map(connector), boxes.map(drawBox));
}

function describe(steps) {
	return steps.map((step) => step.text + (step.steps.length ? ` (${describe(step.steps)})` : "")).join("; then ");
}

function linesOf(step, space) {
	const lines = wrap(step.text, Math.floor((space - 24) / 7)).map((content) => ["what", content]);
	if (step.index) lines.push(["detail", `index ${step.index}`]);
	for (const reason of step.reasons) for (const content of wrap(reason, Math.floor((space - 24) / 7))) lines.push(["reason", content]);
	return lines;
}

function wrap(content, limit) {
	const lines = [""];
	for (const word of content.split(" ")) {
		const last = lines[lines.length - 1];
		if (last && last.length + word.length + 1 > limit) lines.push(word.slice(0, limit));
		else lines[lines.length - 1] = (last ? last + " " : "") + word.slice(0, limit);
	}
	return lines;
}

function connector(box) {
	if (!box.parent) return null;
	const x = 8 + box.parent.depth * indent + 12;
	return s("path", {class: "edge", d: `M${x} ${box.parent.y + box.parent.height}V${box.y + 18}H${8 + box.depth * indent}`});
}

function drawBox({step, depth, y, lines, height}) {
	const x = 8 + depth * indent;
	const space = width - depth * indent;
	const rows = step.estimatedRows === undefined ? "" : `about ${count(step.estimatedRows)} rows`;
	return s("g", {transform: `translate(${x} ${y})`, class: `step ${step.kind}`}, s("title", {}, step.detail),
		s("rect", {width: space, height, rx: 6}), s("rect", {width: 5, height, rx: 2, class: "strip"}),
		s("text", {x: 16, y: 17, class: "kind"}, names[step.kind] ?? step.kind), s("text", {x: space - 10, y: 17, "text-anchor": "end", class: "rows"}, rows),
		lines.map(([kind, content], index) => s("text", {x: 16, y: 34 + index * lineHeight, class: kind}, content)));
}
