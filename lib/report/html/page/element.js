// SPDX-License-Identifier: GPL-2.0-or-later
// element.js - creates elements; text of a report always becomes a text node

// al_html_write_text() replaces these characters, too.
const UNPRINTABLE = new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u061c" +
	"\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ufeff]",
	"gu");
const MAX_TEXT = 4096;

function visibleText(text) {
	const s = String(text);
	return (s.length > MAX_TEXT ? s.slice(0, MAX_TEXT) + "..." : s)
		.replace(UNPRINTABLE, "\u25a1");
}

// Return an element. @attributes: name to value; the value of a name that begins
// with "on" is a function, which handles the event. @children: nodes and texts.
function element(name, attributes, ...children) {
	const e = document.createElement(name);
	for (const key of Object.keys(attributes || {})) {
		const value = attributes[key];
		if (value === undefined || value === null || value === false)
			continue;
		if (key.startsWith("on"))
			e.addEventListener(key.slice(2), value);
		else
			e.setAttribute(key, value === true ? "" : value);
	}
	for (const child of children)
		if (child !== undefined && child !== null)
			e.append(child instanceof Node ? child :
				visibleText(child));
	return e;
}

// Return a count with a gap between groups of three digits; text that is copied
// from the page does not have the gaps.
function countNode(n) {
	const span = element("span", {class: "c"});
	const digits = String(n);
	if (!Number.isInteger(n)) {
		span.append(digits);
		return span;
	}
	const first = (digits.length - 1) % 3 + 1;
	span.append(digits.slice(0, first));
	for (let i = first; i < digits.length; i += 3)
		span.append(element("i", null, digits.slice(i, i + 3)));
	return span;
}

function percentText(part, whole, digits = 2) {
	return whole ? (100 * part / whole).toFixed(digits) + " %" : "-";
}

function sizeText(bytes) {
	let u = -1;
	while (bytes >= 1024 && bytes % 1024 === 0 && u < 3) {
		bytes /= 1024;
		u++;
	}
	return bytes + (u < 0 ? "" : "KMGT"[u]);
}

// Return a number with at most four digits and a letter, for axes.
function shortNumber(n) {
	const unit = ["", "k", "M", "G", "T", "P"];
	let u = 0;
	while (Math.abs(n) >= 1000 && u < 5) {
		n /= 1000;
		u++;
	}
	return +n.toPrecision(4) + unit[u];
}

// Return a bar for a share from 0 to 1. It is an SVG image, whose length is an
// attribute, because the policy of the page forbids style attributes.
function barNode(share) {
	const svg = "http://www.w3.org/2000/svg";
	const picture = document.createElementNS(svg, "svg");
	const bar = document.createElementNS(svg, "rect");
	picture.setAttribute("class", "bar");
	picture.setAttribute("aria-hidden", "true");
	bar.setAttribute("width", (100 * Math.min(1, share)).toFixed(1) + "%");
	bar.setAttribute("height", "100%");
	picture.append(bar);
	return picture;
}

// Return a link that opens line @line of the file @path in the editor of the user;
// without --editor-url, @content itself.
function editorLink(path, line, content) {
	if (!data.editor_url || !path.startsWith("/"))
		return content;
	const parts = {"{path}": encodeURI(path).replace(/[?#]/g,
		encodeURIComponent), "{line}": String(line)};
	return element("a", {href: data.editor_url.replace(
		/\{path\}|\{line\}/g, part => parts[part])}, content);
}

function announce(text) {
	document.getElementById("live").textContent = visibleText(text);
}

// Return the section @id. If there is none, create it with heading @title, and
// insert it before the section @before.
function sectionOf(id, title, before = "pipeline") {
	let section = document.getElementById(id);
	if (!section) {
		section = element("section", {id}, element("h2", null, title));
		const next = document.getElementById(before);
		document.querySelector("main").insertBefore(section, next);
	}
	return section;
}

// Return a table with the rows of texts and nodes in @rows. Cells of the columns
// in @numbers, a set of indices, are aligned to the right.
function tableNode(headings, rows, numbers = new Set(), caption) {
	const head = element("tr", {role: "row"});
	headings.forEach((h, i) => head.append(element("th", {scope: "col",
		role: "columnheader", class: numbers.has(i) ? "n" : null}, h)));
	const body = element("tbody", {role: "rowgroup"});
	for (const row of rows) {
		const tr = element("tr", {role: "row"});
		row.forEach((cell, i) => tr.append(i === 0 ?
			element("th", {scope: "row", role: "rowheader",
				class: numbers.has(0) ? "n" : null}, cell) :
			element("td", {role: "cell",
				class: numbers.has(i) ? "n" : null,
				"data-label": headings[i]}, cell)));
		body.append(tr);
	}
	return element("table", {class: "stack", role: "table"},
		caption ? element("caption", null, caption) : null,
		element("thead", {role: "rowgroup"}, head), body);
}
