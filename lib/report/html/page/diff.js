// SPDX-License-Identifier: GPL-2.0-or-later
// diff.js - the page that compares two reports

let diffEvent = "Ir";
const diffGrids = [];

function signedNode(n) {
	const node = element("span", {class: n > 0 ? "more" : n < 0 ? "less" :
		null}, n > 0 ? "\u25b2 +" : n < 0 ? "\u25bc \u2212" : "");
	node.append(countNode(Math.abs(n)));
	return node;
}

function changeText(a, b) {
	if (a === b)
		return "-";
	if (!a || !b)
		return a ? "gone" : "new";
	return (b > a ? "+" : "") + (100 * (b - a) / a).toFixed(2) + " %";
}

// A table of a comparison. Its columns @a, @b and @change show the event
// diffEvent.
class DiffTable extends Table {
	side(i, side) {
		return super.cell(i, side + ":" + diffEvent) || 0;
	}

	change(i) {
		return this.side(i, "b") - this.side(i, "a");
	}

	cell(i, key) {
		return key === "@change" ? Math.abs(this.change(i)) :
			key === "@a" ? this.side(i, "a") :
			key === "@b" ? this.side(i, "b") : super.cell(i, key);
	}
}

function diffColumns(table) {
	return [
		{key: "@a", label: "A", isCount: true,
		 cell: i => countNode(table.side(i, "a"))},
		{key: "@b", label: "B", isCount: true,
		 cell: i => countNode(table.side(i, "b"))},
		{key: "@change", label: "Change", isCount: true,
		 cell: i => signedNode(table.change(i))},
		{key: "@percent", label: "Percent", isCount: true,
		 isFixed: true, title: "change in percent of A",
		 cell: i => changeText(table.side(i, "a"), table.side(i, "b"))},
		{key: "match", label: "Match",
		 text: i => String(table.cell(i, "match")),
		 cell: i => String(table.cell(i, "match"))}];
}

function diffGrid(table, first, rowId, openRow) {
	const text = (i, key) => String(table.cell(i, key) ?? "");
	const grid = new Grid({table, sort: "@change", rowId, openRow,
		columns: [...first, ...diffColumns(table)],
		matches: (i, words) => {
			const s = searchableText(["name", "b_name", "object", "path",
				"function"].map(k => text(i, k)));
			return words.every(w => s.includes(w));
		}});
	diffGrids.push(grid);
	return grid;
}

// Return rows with the source lines of A and B side by side: the lines in the
// rows @index of @lines with their counts, and before each up to 12 other lines.
// @texts: source lines of A and B by number.
function alignedRows(lines, index, texts) {
	const rows = [];
	let before = null;
	const cell = (side, n) => n && texts[side] && texts[side].has(n) ?
		element("code", null, expandTabs(texts[side].get(n)) || " ") :
		"";
	const add = (a, b, i) => rows.push([a ? String(a) : "",
		cell(0, a), i === null || !a ? "" : countNode(lines.side(i,
			"a")), b ? String(b) : "", cell(1, b),
		i === null || !b ? "" : countNode(lines.side(i, "b"))]);
	for (const i of index) {
		const a = lines.cell(i, "a"), b = lines.cell(i, "b");
		if (before) {
			const left = a ? a - before[0] - 1 : 0;
			const right = b ? b - before[1] - 1 : 0;
			const n = Math.min(12, Math.max(left, right, 0));
			for (let k = 0; k < n; k++)
				add(k < left ? before[0] + 1 + k : 0,
					k < right ? before[1] + 1 + k : 0, null);
		}
		add(a, b, i);
		before = [a || (before ? before[0] : 0),
			b || (before ? before[1] : 0)];
		if (rows.length >= MOST_LINES)
			break;
	}
	return rows;
}

// Return a table with the source lines of A and B for the rows @index of @lines.
// Only the file of the first row is shown. @sources: excerpts of A and B.
function sideBySideSource(lines, index, sources) {
	if (!index.length)
		return noSource("", 0);
	const place = i => lines.cell(i, "a") || lines.cell(i, "b") || 0;
	index.sort((x, y) => place(x) - place(y));
	const path = lines.cell(index[0], "path");
	const name = path.slice(path.lastIndexOf("/") + 1);
	const texts = sources.map((list, side) => {
		const found = list.find(s => s.path === path) || list.find(s =>
			s.path.endsWith("/" + name));
		const text = new Map();
		for (const r of found ? found.ranges : [])
			r.text.forEach((t, k) => text.set(r.from + k, t));
		return text;
	});
	return tableNode(["A", "Source of A", diffEvent, "B", "Source of B",
		diffEvent], alignedRows(lines, index.filter(i =>
			lines.cell(i, "path") === path), texts),
		new Set([0, 2, 3, 5]));
}

function drawDiffTables(diff, sources) {
	const lines = new DiffTable(diff.lines);
	const functions = new DiffTable(diff.functions);
	const text = (t, i, key) => String(t.cell(i, key) ?? "???");
	const linesWith = test => {
		const index = [];
		for (let i = 0; i < lines.n; i++)
			if (test(i))
				index.push(i);
		return index;
	};
	const name = i => text(functions, i, "name") +
		(functions.cell(i, "b_name") ? " \u2192 " +
		functions.cell(i, "b_name") : "");
	replaceStatic("functions", "Functions", diffGrid(functions,
		[{key: "name", label: "Function", text: name, cell: name},
		 {key: "object", label: "Object",
		  text: i => text(functions, i, "object"),
		  cell: i => text(functions, i, "object")}],
		i => functionId(text(functions, i, "name"),
			text(functions, i, "object")),
		i => sideBySideSource(lines, linesWith(k => lines.cell(k,
			"function") === functions.cell(i, "name")), sources)));
	const numbers = i => {
		const a = lines.cell(i, "a"), b = lines.cell(i, "b");
		return text(lines, i, "file") + ":" + (a === b ? a :
			(a || "new") + " \u2192 " + (b || "gone"));
	};
	sectionOf("lines", "Source lines", "glossary").append(diffGrid(lines,
		[{key: "file", label: "Line, A \u2192 B", text: numbers,
		  cell: numbers},
		 {key: "function", label: "Function",
		  text: i => text(lines, i, "function"),
		  cell: i => text(lines, i, "function")}],
		i => "d" + hashText(numbers(i) + text(lines, i, "path") +
			text(lines, i, "function")),
		i => {
			const path = lines.cell(i, "path");
			const near = side => Math.abs((lines.cell(side, "a") ||
				lines.cell(side, "b") || 0) -
				(lines.cell(i, "a") || lines.cell(i, "b") ||
				0)) <= AROUND;
			return sideBySideSource(lines, linesWith(k =>
				lines.cell(k, "path") === path && near(k)),
				sources);
		}).node);
}

// Data objects of a comparison. A column "@KEY" has the changes of the count KEY.
class DiffDataTable extends Table {
	change(i, key) {
		return (super.cell(i, "b:" + key) || 0) -
			(super.cell(i, "a:" + key) || 0);
	}

	cell(i, key) {
		return key.startsWith("@") ?
			Math.abs(this.change(i, key.slice(1))) :
			super.cell(i, key);
	}
}

function drawDiffData(diff) {
	if (!isTable(diff.data || []))
		return;
	const table = new DiffDataTable(diff.data);
	const name = i => table.cell(i, "name") + (table.cell(i, "b_name") ?
		" \u2192 " + table.cell(i, "b_name") : "");
	const columns = [{key: "name", label: "Data object", text: name,
		cell: name}];
	for (const key of ["last_misses", "first_misses", "bytes"]) {
		const label = key.replaceAll("_", " ");
		for (const side of ["a", "b"])
			columns.push({key: side + ":" + key, isCount: true,
				label: label + ", " + side.toUpperCase(),
				cell: i => countNode(table.cell(i,
					side + ":" + key) || 0)});
		columns.push({key: "@" + key, label: label + ", change",
			isCount: true,
			cell: i => signedNode(table.change(i, key))});
	}
	sectionOf("data-objects", "Data objects", "glossary").append(new Grid({
		table, columns, sort: "@last_misses",
		rowId: i => "o" + i + hashText(name(i)),
		matches: (i, words) => {
			const s = searchableText([name(i)]);
			return words.every(w => s.includes(w));
		}}).node);
}

function addEventChoice(diff) {
	const weight = {D: 1, I: 1}, t = diff.totals;
	let most = 0;
	for (const event of EVENTS) {
		const factor = event.includes("L") ? 100 : event.includes("1") ?
			10 : weight[event[0]];
		const change = factor * Math.abs(t[event].b - t[event].a);
		if (change > most) {
			most = change;
			diffEvent = event;
		}
	}
	const box = element("select", {id: "event", onchange: e => {
		diffEvent = e.target.value;
		diffGrids.forEach(g => g.select());
	}});
	for (const event of EVENTS)
		box.append(element("option", {selected: event === diffEvent},
			event));
	document.getElementById("functions").append(element("p", null,
		element("label", null, "Event: ", box)));
}

// Return x and series for a Curve with the curves of both reports. @curvesOf:
// returns the curves of a report: label to a map from x to y.
function overlaidCurves(reports, curvesOf) {
	const all = reports.map(curvesOf);
	const x = [...new Set(all.flatMap(c => [...c.values()].flatMap(m =>
		[...m.keys()])))].sort((a, b) => a - b);
	const series = [];
	all.forEach((c, side) => c.forEach((m, label) => series.push({
		label: "AB"[side] + ": " + label,
		values: x.map(v => m.has(v) ? m.get(v) : null)})));
	return {x, series};
}

function timelineMisses(report) {
	const f = report.analyses.timeline.fields, curvesOf = new Map();
	for (const key of Object.keys(f)) {
		if (!key.endsWith(".read_misses"))
			continue;
		const level = key.slice(0, -".read_misses".length);
		const write = f[level + ".write_misses"] || [];
		curvesOf.set(level, new Map(f.instructions.map((n, i) =>
			[(i + 1) * report.analyses.timeline.width, n ? 1000 *
				(f[key][i] + (write[i] || 0)) / n : 0])));
	}
	return curvesOf;
}

function drawDiffCurves(reports) {
	if (reports.some(r => !r))
		return;
	if (reports.every(r => hasSeries(r.analyses.timeline))) {
		sectionOf("timeline", "Timeline", "glossary").append(new Curve({
			title: "Misses per 1000 instructions",
			caption: "Misses of each level, over the " +
				"instructions of each run.", ...overlaidCurves(reports,
				timelineMisses), xLabel: "instructions",
			xText: shortNumber, yText: shortNumber}).figure);
	}
	if (reports.every(r => r.analyses.sweep &&
	    isTable(r.analyses.sweep.configurations)))
		sectionOf("sweep", "Cache size", "glossary").append(new Curve({
			title: "Miss ratio by size",
			caption: "Both runs, by level and associativity.",
			...overlaidCurves(reports, r => sweepSeries(new Table(
				r.analyses.sweep.configurations))),
			xLabel: "bytes", xText: sizeText, isLog: true,
			yText: v => +v.toPrecision(3) + " %"}).figure);
}

function drawDiff(all) {
	addEventChoice(all.diff);
	drawDiffTables(all.diff, all.sources);
	drawDiffData(all.diff);
	drawDiffCurves(all.reports);
}
