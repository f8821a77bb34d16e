// Building the page. Everything shown goes through `textContent` or text nodes, because the
// content of documents is not trusted. There is no way in this file to parse HTML.

const svgSpace = "http://www.w3.org/2000/svg";

/**
 * Creates an element: `h("p.note", "…", child, …)`. The properties may be left out. They
 * are attributes, except `on` (event handlers), `style` and `value`.
 */
export function h(name, ...rest) {
	const [tag, ...classes] = name.split(".");
	const element = document.createElement(tag);
	if (classes.length) element.className = classes.join(" ");
	const hasProperties = rest[0]?.constructor === Object;
	return fill(element, hasProperties ? rest[0] : {}, hasProperties ? rest.slice(1) : rest);
}

export function s(tag, properties, ...children) {
	return fill(document.createElementNS(svgSpace, tag), properties, children);
}

function fill(element, properties, children) {
	for (const [name, value] of Object.entries(properties ?? {})) setProperty(element, name, value);
	append(element, children);
	return element;
}

function setProperty(element, name, value) {
	if (value === undefined || value === null || value === false) return;
	if (name === "on") {
		for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
	} else if (name === "style") {
		// The content security policy forbids style attributes, but not properties set by a script.
		for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
	} else if (name === "value") {
		element.value = value;
	} else {
		element.setAttribute(name, value === true ? "" : String(value));
	}
}

function append(element, children) {
	for (const child of children) {
		if (child === null || child === undefined || child === false) continue;
		if (Array.isArray(child)) append(element, child);
		else element.append(child instanceof Node ? child : String(child));
	}
}

export function replace(element, ...children) {
	element.replaceChildren();
	append(element, children);
}

function attributes(given) { return typeof given === "string" ? {class: given} : given; }

export function button(label, action, given) {
	return h("button", {type: "button", ...attributes(given), on: {click: action}}, label);
}

export function link(href, label, given) {
	return h("a", {href, ...attributes(given)}, label);
}

export function row(...content) {return h("div.row", content);}

export function dim(...content) {return h("span.dim", content);}

export function revisionLabel(revision) {return h("span.mono", {title: revision}, shortRevision(revision));}

export function empty(...content) {return h("p.empty", content);}

export function section(title, ...content) {return h("section", h("h2", title), content);}

/** The properties of an element that scrolls, also by keyboard. */
export function region(label) {return {tabindex: 0, role: "region", "aria-label": label};}

export function problem(...content) {return h("div.notice.error", {role: "alert"}, content);}

export function facts(rows) {
	return h("dl.facts", rows.filter((row) => row[1]).map(([name, value]) => [h("dt", name), h("dd.mono", value)]));
}

export async function attempt(box, work) {
	try {
		await work();
	} catch (error) {
		if (error.name !== "AbortError") replace(box, problem(error.message));
	}
}

export function field(label, control, hint, name = "field") {
	return h("label", {class: name}, h("span", label), control, hint && h("small", hint));
}

function check(label, checked, action) {
	const input = h("input", {type: "checkbox", checked, on: {change: () => action(input.checked)}});
	return h("label.check", input, label);
}

/** Buttons of which one is pressed. */
export function segments(options, value, action) {
	return h("div.segments", {role: "group", "aria-label": "Display"},
		options.map(([key, label]) => button(label, () => action(key), {"aria-pressed": String(key === value)})));
}

export function select(options, value, action, properties = {}) {
	const control = h("select", {...properties, on: {change: () => action?.(control.value)}},
		options.map(([key, label]) => h("option", {value: key, selected: key === value}, label)));
	return control;
}

/** Text of a document, isolated so that its direction does not change the text around it. */
export function isolated(text, given) {
	return h("bdi", attributes(given) ?? {}, visible(text));
}

/** Shows control and direction characters as escapes: they could make a value look like another. */
export function visible(text) {
	return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g,
		(character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"));
}

function first(selector) {return document.querySelector(selector);}

export function announce(text) {
	document.getElementById("status").textContent = text;
}

let toastTimer;

export function toast(text) {
	first(".toast")?.remove();
	document.body.append(h("div.toast", visible(text)));
	announce(text);
	clearTimeout(toastTimer);
	toastTimer = setTimeout(() => first(".toast")?.remove(), 3500);
}

export async function copy(text, what = "Copied") {
	try {
		await navigator.clipboard.writeText(text);
		toast(what);
	} catch {
		toast("The browser does not permit copying");
	}
}

export function dialog(title, content, buttons = [["Close", ""]]) {
	return new Promise((resolve) => {
		const box = h("dialog", {"aria-label": title});
		append(box, [h("h2", title), content, h("div.row.end",
			buttons.map(([label, value, style]) => button(label, () => box.close(value), style)))]);
		box.addEventListener("close", () => {box.remove(); resolve(box.returnValue);});
		document.body.append(box);
		box.returnValue = "";
		box.showModal();
	});
}

export function confirm(title, text, action) {
	return dialog(title, h("p", visible(text)), [["Cancel", ""], [action, "yes", "danger"]])
		.then((value) => value === "yes");
}

export function save(name, content, type = "application/octet-stream") {
	const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], {type}));
	const anchor = h("a", {href: address, download: name});
	document.body.append(anchor);
	anchor.click();
	anchor.remove();
	setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
