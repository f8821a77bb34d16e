// A JSON parser that keeps what JSON.parse loses: integers above 2^53, the order of properties whose
// names are numbers, and properties such as __proto__. Objects of documents become Maps.

/** A number of a document whose text JavaScript would write in another way, such as 1.0. */
class NumberText {
	constructor(text) {this.text = text;}

	valueOf() {return Number(this.text);}
}

class JSONError extends Error {
	constructor(message, text, offset) {
		super(message);
		this.offset = offset;
		const before = text.slice(0, offset);
		this.line = before.split("\n").length;
		this.column = offset - before.lastIndexOf("\n");
	}
}

const contentKeys = new Set(["body", "ancestorBody", "document", "row", "rows", "value", "delta", "ancestor"]);

/** Parses an answer of the server: its own objects are plain objects, content of documents Maps. */
function parseAnswer(text) {
	return new Parser(text, false).all();
}

export function parse(text) {
	return new Parser(text, true).all();
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;

class Parser {
	constructor(text, isContent) {
		this.text = text;
		this.at = 0;
		this.depth = 0;
		this.isContent = isContent;
	}

	all() {
		this.space();
		const value = this.value(this.isContent);
		this.space();
		if (this.at < this.text.length) this.fail("expected the end of the text");
		return value;
	}

	fail(message, offset = this.at) {throw new JSONError(message, this.text, offset);}

	space() {
		for (;;) {
			const code = this.text.charCodeAt(this.at);
			if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return;
			this.at += 1;
		}
	}

	value(isContent, hasNames = false) {
		switch (this.text[this.at]) {
			case "{": return this.object(isContent, hasNames);
			case "[": return this.array(isContent);
			case '"': return this.string();
			case "t": return this.word("true", true);
			case "f": return this.word("false", false);
			case "n": return this.word("null", null);
			default: return this.number(isContent);
		}
	}

	word(word, value) {
		if (!this.text.startsWith(word, this.at)) this.fail("expected a value");
		this.at += word.length;
		return value;
	}

	number(isContent) {
		numberPattern.lastIndex = this.at;
		const match = numberPattern.exec(this.text);
		if (!match) this.fail(this.at >= this.text.length ? "the text ends where a value is expected" : "expected a value");
		this.at += match[0].length;
		const number = Number(match[0]);
		return isContent && String(number) !== match[0] ? new NumberText(match[0]) : number;
	}

	string() {
		const start = this.at;
		let end = start + 1;
		for (; ; end += 1) {
			const code = this.text.charCodeAt(end);
			if (code === 34) break;
			if (code === 92) end += 1;
			else if (code < 32) this.fail("a string contains a line break or a control character", end);
			if (end >= this.text.length) this.fail("unterminated string", start);
		}
		this.at = end + 1;
		try {
			return JSON.parse(this.text.slice(start, end + 1));
		} catch {
			return this.fail("invalid escape in a string", start);
		}
	}

	array(isContent) {
		const values = [];
		this.members("]", () => values.push(this.value(isContent)));
		return values;
	}

	/** The keys of an object with names are those of documents, as in a schema. */
	object(isContent, hasNames) {
		const map = isContent ? new Map() : Object.create(null);
		this.members("}", () => {
			const start = this.at;
			if (this.text[start] !== '"') this.fail("expected a property name in quotes");
			const key = this.string();
			this.space();
			if (this.text[this.at] !== ":") this.fail("expected ':'");
			this.at += 1;
			this.space();
			if (!isContent) {
				map[key] = this.value(!hasNames && contentKeys.has(key), !hasNames && key === "properties");
			} else {
				if (map.has(key)) this.fail(`the property ${JSON.stringify(key)} occurs twice`, start);
				map.set(key, this.value(true));
			}
		});
		return map;
	}

	members(end, read) {
		if (++this.depth > 900) this.fail("nested too deeply");
		this.at += 1;
		this.space();
		if (this.text[this.at] === end) {this.at += 1; this.depth -= 1; return;}
		for (;;) {
			read();
			this.space();
			const next = this.text[this.at];
			if (next !== "," && next !== end) this.fail(`expected ',' or '${end}'`);
			this.at += 1;
			if (next === end) {this.depth -= 1; return;}
			this.space();
		}
	}
}

export function write(value, indent = 0) {
	const parts = [];
	writeInto(parts, value, indent, "\n");
	return parts.join("");
}

function writeInto(parts, value, indent, line) {
	const isArray = Array.isArray(value);
	if (value instanceof NumberText) return parts.push(value.text);
	if (value === null || typeof value !== "object") return parts.push(JSON.stringify(value) ?? "null");
	const items = isArray ? value : value instanceof Map ? [...value] : Object.entries(value);
	const inner = line + " ".repeat(indent);
	parts.push(isArray ? "[" : "{");
	items.forEach((item, index) => {
		if (index > 0) parts.push(",");
		if (indent > 0) parts.push(inner);
		if (!isArray) parts.push(JSON.stringify(item[0]), indent > 0 ? ": " : ":");
		writeInto(parts, isArray ? item : item[1], indent, inner);
	});
	if (indent > 0 && items.length > 0) parts.push(line);
	parts.push(isArray ? "]" : "}");
}

export function brief(value, budget = 80) {
	if (typeof value === "string") return value.length > budget ? value.slice(0, budget) + "…" : value;
	return inner(value, budget);
}

function inner(value, budget) {
	if (typeof value === "string") return JSON.stringify(brief(value, Math.max(budget, 8)));
	if (value instanceof NumberText) return value.text;
	if (!(value instanceof Map) && !Array.isArray(value)) return String(value);
	const isMap = value instanceof Map;
	let text = "";
	for (const item of value) {
		if (text.length >= budget) {text += ", …"; break;}
		if (text) text += ", ";
		text += isMap ? `${brief(item[0], 30)}: ${inner(item[1], budget - text.length)}` : inner(item, budget - text.length);
	}
	return isMap ? `{${text}}` : `[${text}]`;
}

export function isEqual(a, b) {
	if (a === b) return true;
	if (a === undefined || b === undefined) return false;
	if (a instanceof Map && b instanceof Map)
		return a.size === b.size && [...a].every(([key, value]) => b.has(key) && isEqual(value, b.get(key)));
	if (Array.isArray(a) && Array.isArray(b))
		return a.length === b.length && a.every((value, index) => isEqual(value, b[index]));
	return a instanceof NumberText && b instanceof NumberText && a.text === b.text;
}
