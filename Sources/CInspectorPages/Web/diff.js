// Differences of two texts line by line, and the merge of three versions of a document.

import {empty, h, isEqual, plural, region, visible} from "./app.js";

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

const maximumChanges = 1500;

/** The algorithm of Myers, whose time grows with the number of changes. */
function middle(a, b) {
	const center = Math.min(a.length + b.length, maximumChanges) + 1;
	// For each diagonal the line of `a` that is reached; and what was reached with fewer changes.
	const reach = new Int32Array(2 * center + 1);
	const before = [];
	for (let changes = 0; changes < center; changes += 1) {
		before.push(reach.slice(center - changes - 1, center + changes + 2));
		for (let diagonal = -changes; diagonal <= changes; diagonal += 2) {
			const from = origin(reach, center, diagonal, changes);
			let i = reach[center + from] + (from < diagonal ? 1 : 0);
			while (i < a.length && i - diagonal < b.length && a[i] === b[i - diagonal]) i += 1;
			reach[center + diagonal] = i;
			if (i >= a.length && i - diagonal >= b.length) return trace(a.length, b.length, before);
		}
	}
	// Too many to be of use.
	return [...a.map(() => "old"), ...b.map(() => "new")];
}

/** The diagonal from which another one is reached: by a line of `b`, or of `a`. */
function origin(reach, center, diagonal, changes) {
	const isNew = diagonal === -changes || (diagonal !== changes && reach[center + diagonal - 1] < reach[center + diagonal + 1]);
	return diagonal + (isNew ? 1 : -1);
}

function trace(i, k, before) {
	const kinds = [];
	for (let changes = before.length - 1; changes > 0; changes -= 1) {
		const from = origin(before[changes], changes + 1, i - k, changes);
		const isNew = from > i - k;
		const start = before[changes][changes + 1 + from];
		for (; i > start + (isNew ? 0 : 1); i -= 1, k -= 1) kinds.push("same");
		kinds.push(isNew ? "new" : "old");
		[i, k] = [start, start - from];
	}
	for (; i > 0; i -= 1) kinds.push("same");
	return kinds.reverse();
}

const context = 3;
const maximumRows = 2000;
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
		if (body.children.length >= maximumRows) {left += 1; return;}
		if (!near[index]) {left += 1; if (near[index + 1]) {body.append(gap(left)); left = 0;} return;}
		body.append(differenceRow(kind, kind === "old" ? oldLines[oldLine - 1] : newLines[newLine - 1], oldLine, newLine));
	});
	if (left > 0) body.append(gap(left, body.children.length < maximumRows ? "unchanged" : "further"));
	return h("div.diff", region(label), h("table", {"aria-label": label}, body));
}

function gap(number, kind = "unchanged") {
	return h("tr.gap", h("td", {colspan: 4}, plural(number, `${kind} line`)));
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
		return yours;
	}
	const before = base instanceof Map ? base : new Map();
	const result = new Map();
	for (const key of new Set([...theirs.keys(), ...yours.keys()])) {
		const value = mergeValue(before.get(key), yours.get(key), theirs.get(key), path ? `${path}.${key}` : key, contradictions);
		if (value !== undefined) result.set(key, value);
	}
	return result;
}
