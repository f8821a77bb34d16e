// Requests to the server: the token, errors, JSON, and streams of server-sent events.

const tokenKey = "inspector-token";
const brokenOff = "The output broke off before its end. The command failed while it was writing.";

export const session = {writable: false, version: ""};

class APIError extends Error {
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/** Takes the token out of the address, so that it is not in the history or in a copied address. */
function takeToken() {
	const match = /(?:^#|&)token=([^&]+)/.exec(location.hash);
	if (!match) return;
	setToken(decodeURIComponent(match[1]));
	history.replaceState(null, "", location.pathname + location.search);
}

function setToken(text) {
	localStorage.setItem(tokenKey, text.trim().replace(/^.*token=/, ""));
}

function hasToken() {return Boolean(localStorage.getItem(tokenKey));}

/** The address of data: path segments are encoded, empty parameters left out. */
export function address(segments, parameters = {}) {
	const path = "/" + segments.map(encodeURIComponent).join("/");
	const query = new URLSearchParams();
	for (const [key, value] of Object.entries(parameters))
		if (value !== undefined && value !== null && value !== "" && value !== false)
			query.set(key, value === true ? "1" : value);
	const text = query.toString();
	return text ? `${path}?${text}` : path;
}

export function viewPath(db, coll, name, parameters) {
	return address(coll === null ? [db, name] : [db, coll, name], parameters);
}

let running = 0;

function showProgress(change) {
	running += change;
	document.getElementById("progress").hidden = running === 0;
}

/** Sends a request; what `read` makes of the response is the result. */
export async function request(path, {method = "GET", body, headers = {}, signal, quiet = false, read = (response) => response} = {}) {
	const all = {Authorization: `Bearer ${localStorage.getItem(tokenKey) ?? ""}`, ...headers};
	if (method !== "GET") all["X-Inspector"] = "1";
	if (body !== undefined && !all["Content-Type"]) all["Content-Type"] = "application/json";
	let isOpen = false;
	if (!quiet) showProgress(1);
	try {
		const response = await fetch(path, {method, body, headers: all, signal, cache: "no-store"});
		const writable = response.headers.get("X-Inspector-Writable");
		if (writable !== null) session.writable = writable === "1";
		if (!response.ok) throw await errorOf(response);
		const warning = response.headers.get("X-Inspector-Warning");
		if (warning) toast(decodeURIComponent(warning));
		isOpen = true;
		return await read(response);
	} catch (error) {
		if (error instanceof APIError || error.name === "AbortError") throw error;
		throw new APIError(0, isOpen ? brokenOff : "The server does not answer. Check whether kvtool serve is still running.");
	} finally {
		if (!quiet) showProgress(-1);
	}
}

async function errorOf(response) {
	const text = await response.text();
	try {
		return new APIError(response.status, JSON.parse(text).error.message);
	} catch {
		return new APIError(response.status, text.slice(0, 500) || `The server answered with status ${response.status}.`);
	}
}

function getText(path, options) {
	return request(path, {...options, read: (response) => response.text()});
}

export async function get(path, options) {
	const text = await getText(path, options);
	if (text === "") return null;
	try {
		return parseAnswer(text);
	} catch {
		throw new APIError(200, brokenOff);
	}
}

export function send(method, path, content, options = {}) {
	const body = content === undefined || typeof content === "string" ? content : JSON.stringify(content);
	return get(path, {...options, method, body});
}

/** Reads server-sent events until `signal` aborts. Calls `receive` with each object. */
export async function stream(path, receive, {signal, method = "GET", body} = {}) {
	const response = await request(path, {method, body, signal, quiet: true, headers: {Accept: "text/event-stream"}});
	const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
	let rest = "";
	for (;;) {
		const {value, done} = await reader.read();
		if (done) return;
		rest += value;
		let end;
		while ((end = rest.search(/\r?\n\r?\n/)) >= 0) {
			receiveEvent(rest.slice(0, end), receive);
			rest = rest.slice(end).replace(/^\r?\n\r?\n/, "");
		}
	}
}

function receiveEvent(text, receive) {
	const data = text.split(/\r?\n/).filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
	if (data.length === 0) return;
	const object = parseAnswer(data.join("\n"));
	if (object.error) throw new APIError(200, object.error.message);
	receive(object);
}
