// A JSON value as a tree that can be collapsed. Members are created when they are first shown, in
// pieces, so that an object with very many properties does not block the page.

const pieceSize = 100;
const longString = 300;

export function tree(value, {blobLink, marks = new Set(), openNodes = 150} = {}) {
	const state = {blobLink, marks, budget: openNodes};
	const root = h("div.tree");
	replace(root, isBranch(value) ? members(value, "", state, 0) : leaf(value));
	return root;
}

function isBranch(value) {return (value instanceof Map && value.size > 0) || (Array.isArray(value) && value.length > 0);}

function sizeOf(value) {return value instanceof Map ? value.size : value.length;}

function members(value, path, state, depth) {
	const entries = value instanceof Map ? [...value] : value.map((item, index) => [index, item]);
	const list = h("ul");
	state.budget -= Math.min(entries.length, pieceSize);
	addPiece(list, entries, 0, pieceSize, path, state, depth);
	return list;
}

function addPiece(list, entries, start, size, path, state, depth) {
	const end = Math.min(entries.length, start + size);
	const fragment = document.createDocumentFragment();
	for (let index = start; index < end; index += 1) fragment.append(member(entries[index], path, state, depth));
	list.append(fragment);
	if (end === entries.length) return;
	const rest = entries.length - end;
	const next = (amount) => {more.remove(); addPiece(list, entries, end, amount, path, state, depth);};
	const more = h("li.row", button(`Show ${Math.min(rest, pieceSize * 5)} more`, () => next(pieceSize * 5), "small"),
		dim(`${count(rest)} of ${count(entries.length)} not shown`));
	list.append(more);
}

function member([key, value], path, state, depth) {
	const own = typeof key === "number" ? `${path}[${key}]` : path ? `${path}.${key}` : key;
	const label = typeof key === "number" ? h("span.index", key) : isolated(brief(key, 200), {class: "key", title: own.slice(0, 500)});
	const item = h("li", {class: state.marks.has(own) ? "marked" : null});
	if (isBranch(value)) branch(item, label, value, own, state, depth);
	else item.append(h("span.toggle"), label, ": ", leaf(value));
	return item;
}

function branch(item, label, value, path, state, depth) {
	const hint = dim(value instanceof Map ? `{${count(sizeOf(value))}} ` : `[${count(sizeOf(value))}] `, isolated(brief(value, 60)));
	let inner = null;
	const toggle = button([h("span.arrow", {"aria-hidden": "true"}), label], () => set(toggle.getAttribute("aria-expanded") !== "true"),
		{class: "toggle", "aria-expanded": "false"});
	function set(isOpen) {
		toggle.setAttribute("aria-expanded", String(isOpen));
		hint.hidden = isOpen;
		if (isOpen && !inner) {inner = members(value, path, state, depth + 1); item.append(inner);}
		if (inner) inner.hidden = !isOpen;
	}
	item.append(toggle, " ", hint);
	if (value instanceof Map && value.get("@type") === "blob" && state.blobLink) item.append(" ", blobButton(value, state));
	const isMarkInside = [...state.marks].some((mark) => mark.startsWith(path));
	if (isMarkInside || (depth < 3 && state.budget > sizeOf(value))) set(true);
}

function blobButton(value, state) {
	return link(state.blobLink(value), `blob, ${bytes(value.get("length"))}`, "tag");
}

function leaf(value) {
	if (typeof value === "string") return string(value);
	if (value === null) return h("span.null", "null");
	if (typeof value === "boolean") return h("span.bool", String(value));
	if (value instanceof NumberText) return h("span.num", value.text);
	if (typeof value === "number") return h("span.num", String(value));
	return dim(Array.isArray(value) ? "[]" : "{}");
}

function string(text) {
	if (text.length <= longString) return isolated(`"${text}"`, "str");
	const box = h("span");
	const short = () => replace(box, isolated(`"${text.slice(0, longString)}…`, "str"), " ",
		button(`Show all ${count(text.length)} characters`, all, "small"), " ",
		button("Copy", () => copy(text), "small"));
	// Very long lines are slow to lay out; a text area is made for them.
	const all = () => replace(box, h("textarea.code.long", {readonly: true, "aria-label": "Whole string", value: text}), " ",
		button("Show less", short, "small"));
	short();
	return box;
}

/** The ID of a document in a table, as a link. */
export function idLink(href, id) {return link(href, isolated(brief(id, 60)), {title: id, tabindex: -1});}

export function cell(value) {
	if (value === undefined) return "";
	if (value === null) return h("span.null", "null");
	if (typeof value === "string") return isolated(brief(value, 120));
	if (typeof value === "number" || value instanceof NumberText) return h("span.num", value.text ?? String(value));
	if (typeof value === "boolean") return h("span.bool", String(value));
	return isolated(brief(value, 120), "dim");
}

export function rawText(value) {
	return longText(write(value, 2));
}

function longText(text) {
	const limit = 500_000;
	return h("pre.code.tall", {tabindex: 0}, visible(text.slice(0, limit)), text.length > limit && "\n… (use Copy or Save for all of it)");
}
