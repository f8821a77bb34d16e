// An editor for the JSON of a document: it checks the text, shows the difference before saving, and
// lets the user go on if another process has changed the document meanwhile.

import {button, h, parse, plural, problem, replace, row, setUnsaved, toast, write} from "./app.js";
import {differenceView, merge} from "./diff.js";

/**
 * `text` is what is edited first; `base` the text that the difference is shown to. `save(text)`
 * stores it, and throws an error with status 412 if the revision is not the expected one; then
 * `reread()` gives the text of the current revision, or null if it is deleted.
 */
export function editor({text, base, save, cancel, reread, note, saveLabel = "Save"}) {
	const state = {base};
	const box = h("div.editor");
	const area = h("textarea.code", {spellcheck: "false", autocapitalize: "off", "aria-label": "Document as JSON",
		"aria-describedby": "editor-state", rows: Math.min(40, Math.max(12, text.split("\n", 60).length + 2)), "data-focus": true, value: text});
	const message = h("div", {id: "editor-state", class: "editor-state", role: "status"});
	const review = button("Review changes", () => showReview(), "primary");

	function read() {
		const value = parse(area.value);
		if (!(value instanceof Map)) throw Object.assign(new Error("a document must be a JSON object"), {line: 1, column: 1, offset: 0});
		return value;
	}

	function checkText() {
		try {
			replace(message, h("span.good", `Valid JSON, ${plural(read().size, "property", "properties")}`));
			review.disabled = false;
		} catch (error) {
			replace(message, h("span.bad", `Line ${error.line}, column ${error.column}: ${error.message} `),
				button("Go to error", () => goTo(error.offset), "small"));
			review.disabled = true;
		}
	}

	function goTo(offset) {
		area.focus();
		area.setSelectionRange(offset, Math.min(offset + 1, area.value.length));
	}

	let timer;
	area.addEventListener("input", () => {setUnsaved(true); clearTimeout(timer); timer = setTimeout(checkText, 150);});
	area.addEventListener("keydown", (event) => {
		if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {event.preventDefault(); checkText(); if (!review.disabled) showReview();}
	});

	function showEditor(extra) {
		checkText();
		replace(box, note, extra, area, message, row(review,
			button("Format", () => {checkText(); if (!review.disabled) area.value = write(read(), 2);}),
			button("Cancel", () => {setUnsaved(false); cancel();})));
		area.focus();
	}

	function showReview() {
		checkText();
		if (review.disabled) return;
		const value = read();
		const saveButton = button(saveLabel, () => store(value, saveButton), "primary");
		replace(box, h("h2", "Changes"), differenceView(state.base ?? "", write(value, 2), "Changes to be saved"),
			row(saveButton, button("Back to the editor", () => showEditor())));
		saveButton.focus();
	}

	async function store(value, saveButton) {
		saveButton.disabled = true;
		try {
			await save(write(value));
		} catch (error) {
			saveButton.disabled = false;
			let failure = error;
			if (error.status === 412 && reread) {
				try {return showLostRace(value, await reread());} catch (other) {failure = other;}
			}
			if (!box.isConnected) toast(`Not saved: ${failure.message}`);
			box.querySelector(".notice")?.remove();
			box.prepend(problem(failure.message));
		}
	}

	function showLostRace(value, theirs) {
		const [baseText, mine, other] = [state.base ?? "", write(value, 2), theirs ?? ""];
		const goOn = (newText, extra) => {state.base = theirs; area.value = newText; setUnsaved(true); showEditor(extra);};
		replace(box, problem(theirs === null
			? "The document was deleted after you began to edit it. Nothing was saved."
			: "The document was changed after you began to edit it. Nothing was saved."),
		h("div.sides", side("Your changes", baseText, mine), side("Their changes", baseText, other)),
			row(
			theirs !== null && button("Merge in the editor", () => goOn(...merged(baseText, value, theirs)), "primary"),
			button("Continue with yours", () => goOn(mine)),
			theirs !== null && button("Edit theirs", () => goOn(other)),
			baseText && button("Start again", () => goOn(baseText)),
			button("Discard yours", () => {setUnsaved(false); cancel();})));
	}

	showEditor();
	return box;
}

function side(title, from, to) {
	return h("section", h("h3", title), differenceView(from, to, title));
}

function merged(baseText, yours, theirsText) {
	const result = merge(baseText ? parse(baseText) : new Map(), yours, parse(theirsText));
	const list = result.contradictions;
	const extra = list.length > 0 && h("div.notice", `Both have changed: ${list.slice(0, 20).join(", ")}. The text has your values.`);
	return [write(result.value, 2), extra];
}
