// SPDX-License-Identifier: GPL-2.0-or-later
// code.js - the tables of functions and lines, with annotated source

const EVENTS = ["Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw",
	"DLmw"];
const AROUND = 12; // source lines around an open line
const MOST_LINES = 400; // source lines of an open function

// The text of source lines, and the rows of the table of lines, by file and
// line number.
class Sources {
	constructor(list, lines) {
		this.text = new Map();
		this.rows = new Map();
		for (const source of list || []) {
			const byNumber = new Map();
			for (const range of source.ranges)
				range.text.forEach((t, k) =>
					byNumber.set(range.from + k, t));
			this.text.set(source.path, byNumber);
		}
		for (let i = 0; lines && i < lines.n; i++) {
			const key = lines.cell(i, "path") + ":" +
				lines.cell(i, "line");
			if (!this.rows.has(key))
				this.rows.set(key, []);
			this.rows.get(key).push(i);
		}
		this.lines = lines;
	}

	count(path, line, event) {
		let sum = 0;
		for (const i of this.rows.get(path + ":" + line) || [])
			sum += this.lines.cell(i, event) || 0;
		return sum;
	}

	// Return a table of the source lines @from to @to of a file, with the
	// counts of @event; null if the page does not have their text.
	draw(path, from, to, event, marked) {
		const text = this.text.get(path);
		if (!text)
			return null;
		const total = this.lines.sum(event), rows = [];
		for (let n = from; n <= to && rows.length < MOST_LINES; n++) {
			if (!text.has(n))
				continue;
			const count = this.count(path, n, event);
			const code = element("code", {class: n === marked ?
				"marked" : null}, expandTabs(text.get(n)) ||
				" ");
			rows.push([editorLink(path, n, String(n)), code, count ? element("span",
				{class: "share"}, barNode(count / total),
				countNode(count)) : ""]);
		}
		return rows.length ? tableNode(["Line", "Source", event], rows,
			new Set([0, 2])) : null;
	}
}

// Return a source line with blanks for its tabs, to columns of eight.
function expandTabs(text) {
	const parts = text.split("\t");
	let out = parts[0];
	for (const part of parts.slice(1))
		out = out + " ".repeat(8 - out.length % 8) + part;
	return out;
}

// Return a sentence in place of the source lines at line @line of a file.
function noSource(path, line) {
	return path && path !== "???" ? element("p", {class: "note"},
		"This page has no source lines of ",
		editorLink(path, line, path), " here.") :
		element("p", {class: "note"},
			"The source file is not known: compile with -g.");
}

function searchableText(parts) {
	return parts.filter(p => p).join(" ").toLowerCase();
}

// Whether code of the object or file @path belongs to the system.
function isSystemPath(path) {
	return /^\/(usr|lib|lib32|lib64|libx32|bin|sbin|opt)\//.test(path) &&
		!path.startsWith("/usr/local/");
}

// Return the paths of the report's objects by file name.
function objectPaths(report) {
	const paths = new Map();
	if (!isTable(report.objects))
		return paths;
	const table = new Table(report.objects);
	for (let i = 0; i < table.n; i++) {
		const path = String(table.cell(i, "path"));
		paths.set(path.slice(path.lastIndexOf("/") + 1), path);
	}
	return paths;
}

// Return the event by which tables are sorted when the page opens.
function firstEvent(totals) {
	const ll = ((totals.DLmr || 0) + (totals.DLmw || 0)) * 10;
	const d1 = (totals.D1mr || 0) + (totals.D1mw || 0);
	const i1 = totals.I1mr || 0;
	if (ll >= d1 && ll >= i1 && ll > 0)
		return totals.DLmr >= totals.DLmw ? "DLmr" : "DLmw";
	if (d1 >= i1 && d1 > 0)
		return totals.D1mr >= totals.D1mw ? "D1mr" : "D1mw";
	return i1 > 0 ? "I1mr" : "Ir";
}

function functionId(name, object) {
	return "f" + hashText(name + "\n" + object);
}

function lineId(path, line, name) {
	return "l" + hashText(path + ":" + line + "\n" + name);
}

// Return a node with the source of the function in row @i of @functions. If its
// lines are in several files, it is that of the file with most of them.
function functionSource(functions, i, sources, event) {
	const lines = sources.lines, byPath = new Map();
	const name = functions.cell(i, "name");
	const object = functions.cell(i, "object");
	for (let k = 0; lines && k < lines.n; k++) {
		if (lines.cell(k, "function") !== name ||
		    lines.cell(k, "object") !== object ||
		    lines.cell(k, "file") !== functions.cell(i, "file"))
			continue;
		const path = lines.cell(k, "path"), n = lines.cell(k, "line");
		const range = byPath.get(path) || [n, n, 0];
		byPath.set(path, [Math.min(range[0], n),
			Math.max(range[1], n), range[2] + 1]);
	}
	let best = null;
	for (const [path, range] of byPath)
		if (!best || range[2] > best[1][2])
			best = [path, range];
	if (!best)
		return noSource("", 0);
	return sources.draw(best[0], best[1][0] - 3, best[1][1] + 3, event, 0) ||
		noSource(best[0], best[1][0]);
}

function drawFunctions(cache, sources, paths) {
	const table = new Table(cache.functions);
	const text = (i, key) => String(table.cell(i, key) ?? "???");
	const columns = [
		{key: "name", label: "Function", text: i => text(i, "name"),
		 cell: i => text(i, "name"),
		 note: i => text(i, "file") === "???" ? "" : text(i, "file")},
		{key: "object", label: "Object", text: i => text(i, "object"),
		 cell: i => text(i, "object")},
		...countColumns(table, EVENTS, cache.totals)];
	const grid = new Grid({table, columns, sort: firstEvent(cache.totals),
		rowId: i => functionId(text(i, "name"), text(i, "object") +
			"\n" + text(i, "file")),
		matches: (i, words) => {
			const s = searchableText([text(i, "name"), text(i, "object"),
				table.cell(i, "file")]);
			return words.every(w => s.includes(w));
		},
		isOwn: i => !isSystemPath(paths.get(text(i, "object")) || ""),
		openRow: (i, sort) => functionSource(table, i, sources,
			EVENTS.includes(sort) ? sort : "Ir")});
	replaceStatic("functions", "Functions", grid);
}

function drawLines(cache, sources, paths) {
	const table = sources.lines;
	const text = (i, key) => String(table.cell(i, key) ?? "???");
	const place = i => text(i, "file") + ":" + text(i, "line");
	const columns = [
		{key: "file", label: "Line", text: place, cell: place},
		{key: "function", label: "Function",
		 text: i => text(i, "function"), cell: i => text(i, "function")},
		...countColumns(table, EVENTS, cache.totals)];
	const grid = new Grid({table, columns, sort: firstEvent(cache.totals),
		rowId: i => lineId(text(i, "path"), text(i, "line"),
			text(i, "function")),
		matches: (i, words) => {
			const s = searchableText([text(i, "path"), place(i),
				text(i, "function"), text(i, "object")]);
			return words.every(w => s.includes(w));
		},
		isOwn: i => !isSystemPath(paths.get(text(i, "object")) || ""),
		openRow: (i, sort) => {
			const n = table.cell(i, "line");
			return sources.draw(text(i, "path"), n - AROUND,
				n + AROUND, EVENTS.includes(sort) ? sort : "Ir",
				n) || noSource(text(i, "path"), n);
		}});
	replaceStatic("lines", "Source lines", grid);
}

// Replace the rows that are for browsers without script by @grid.
function replaceStatic(id, title, grid) {
	const section = sectionOf(id, title);
	const rows = section.querySelector(".static");
	if (rows)
		rows.remove();
	section.append(grid.node);
}

// Add a button to each sentence of the verdict that names a line: it opens the
// row of the line.
function linkVerdict(report, lines) {
	for (const item of document.querySelectorAll("#verdict li")) {
		const f = (report.findings || []).find(f =>
			visibleText(f.text) === item.textContent);
		if (!f || !f.line || !lines)
			continue;
		for (let i = 0; i < lines.n; i++) {
			if (lines.cell(i, "line") !== f.line ||
			    lines.cell(i, "file") !== f.file ||
			    lines.cell(i, "function") !== f.function)
				continue;
			const id = lineId(String(lines.cell(i, "path") ??
				"???"), f.line, f.function);
			item.append(" ", element("button", {type: "button",
				onclick: () => changeState({open: id})},
				"evidence"));
			break;
		}
	}
}
