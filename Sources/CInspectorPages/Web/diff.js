// Differences of two texts line by line, and the merge of three versions of a document.

import {empty, h, region, visible} from "./dom.js";
import {isEqual} from "./json.js";

/** The kind of each line. A comma at its end does not count: it depends on the next line. */
function lineDifference(oldLines, newLines) {
	const plain = (line) => line.replace(/,$/, "");
	const a = oldLines.map(plain);
	const b = newLines.map(plain);
	let start = 0;
	while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
	let end = 0;
	while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end += 1;
	const same = (number) => Array(number).fill("same");
	return [...same(start), ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)), ...same(end)];
}

const maximumCells = 25_000_000;

function middle(a, b) {
	const wide = b.length + 1;
	// Too large for a comparison of lines.
	if (a.length * wide > maximumCells) return [...a.map(() => "old"), ...b.map(() => "new")];
	const common = new Uint16Array((a.length + 1) * wide);
	for (let i = a.length - 1; i >= 0; i -= 1)
		for (let k = b.length - 1; k >= 0; k -= 1)
			common[i * wide + k] = a[i] === b[k] ? common[(i + 1) * wide + k + 1] + 1
				: Math.max(common[(i + 1) * wide + k], common[i * wide + k + 1]);
	const result = [];
	let i = 0;
	let k = 0;
	while (i < a.length || k < b.length) {
		if (i < a.length && k < b.length && a[i] === b[k]) {result.push("same"); i += 1; k += 1;}
		else if (k === b.length || (i < a.length && common[(i + 1) * wide + k] >= common[i * wide + k + 1])) {result.push("old"); i += 1;}
		else {result.push("new"); k += 1;}
	}
	return result;
}

const context = 3;
const longLine = 2000;

export function differenceView(oldText, newText, label = "Difference") {
	const [oldLines, newLines] = [oldText.split("\n"), newText.split("\n")];
	const kinds = lineDifference(oldLines, newLines);
	if (kinds.every((kind) => kind === "same")) return empty("No differences.");
	const near = new Uint8Array(kinds.length);
	kinds.forEach((kind, index) => {
		if (kind !== "same") near.fill(1, Math.max(0, index - context), index + context + 1);
	});
	const body = h("tbody");
	let oldLine = 0;
	let newLine = 0;
	let left = 0;
	kinds.forEach((kind, index) => {
		if (kind !== "new") oldLine += 1;
		if (kind !== "old") newLine += 1;
		if (!near[index]) {left += 1; if (near[index + 1]) {body.append(gap(left)); left = 0;} return;}
		body.append(differenceRow(kind, kind === "old" ? oldLines[oldLine - 1] : newLines[newLine - 1], oldLine, newLine));
	});
	if (left > 0) body.append(gap(left));
	return h("div.diff", region(label), h("table", {"aria-label": label}, body));
}

function gap(number) {
	return h("tr.gap", h("td", {colspan: 4}, `${number} unchanged ${number === 1 ? "line" : "lines"}`));
}

function differenceRow(kind, line, oldLine, newLine) {
	const sign = {same: " ", old: "−", new: "+"}[kind];
	const text = line.length > longLine ? line.slice(0, longLine) + "…" : line;
	return h("tr", {class: kind}, h("td.line", kind === "new" ? "" : oldLine), h("td.line", kind === "old" ? "" : newLine),
		h("td.sign", sign), h("td", visible(text)));
}

/**
 * Merges what two versions have changed in a base. Objects are merged property by property, other
 * values as a whole. Where both have changed a value, yours is taken and its path listed.
 */
export function merge(base, yours, theirs) {
	const contradictions = [];
	const value = mergeValue(base, yours, theirs, "", contradictions);
	return {value, contradictions};
}

function mergeValue(base, yours, theirs, path, contradictions) {
	if (isEqual(yours, theirs) || isEqual(base, theirs)) return yours;
	if (isEqual(base, yours)) return theirs;
	if (!(yours instanceof Map && theirs instanceof Map)) {
		contradictions.push(path || "(document)");
		return yours === undefined ? theirs : yours;
	}
	const before = base instanceof Map ? base : new Map();
	const result = new Map();
	for (const key of new Set([...theirs.keys(), ...yours.keys()])) {
		const value = mergeValue(before.get(key), yours.get(key), theirs.get(key), path ? `${path}.${key}` : key, contradictions);
		if (value !== undefined) result.set(key, value);
	}
	return result;
}
