// SPDX-License-Identifier: GPL-2.0-or-later
// sections.js - draws the sections after functions and lines: timeline, cache
// size, windows, processes, recording, and the results of other analyses

// ---- timeline ----

// Whether the result @timeline has series. It has none if the analysis was stopped,
// or if nothing was recorded.
function hasSeries(timeline) {
	return Boolean(timeline && timeline.fields &&
		timeline.fields.instructions);
}

// Return a band for each window of the timeline: its name, and the ranges
// [instructions] of intervals in which it is open.
function windowBands(timeline, windows) {
	const f = timeline.fields, width = timeline.width, bands = [];
	const names = isTable(windows || []) ? new Table(windows) : null;
	for (const key of Object.keys(f)) {
		const match = /^window(\d+)\.instructions$/.exec(key);
		if (!match)
			continue;
		const ranges = [];
		f[key].forEach((n, i) => {
			const last = ranges[ranges.length - 1];
			if (n && last && last[1] === i * width)
				last[1] += width;
			else if (n)
				ranges.push([i * width, (i + 1) * width]);
		});
		bands.push({ranges, label: String(names && names.cell(
			match[1] - 1, "name") || "window " + match[1])});
	}
	return bands;
}

// Return a figure with the bands of the windows, and a table of them.
function windowsFigure(shared, bands, counts) {
	const rows = bands.flatMap(b => b.ranges.map(([from, to]) => [b.label,
		countNode(from), countNode(to)]));
	const curve = new Curve({...shared, bands, title: "Windows",
		caption: "Strips, from the top: intervals in which " +
			bands.map(b => b.label).join(", ") +
			(bands.length > 1 ? " are" : " is") + " open. Curves: " +
			"instructions that are executed then.",
		series: bands.map((b, i) => ({label: b.label,
			values: counts[i]}))});
	curve.figure.append(element("details", null, element("summary", null,
		"Table of the intervals"), tableNode(["Window",
		"From instruction", "To"], rows.slice(0, TABLE_ROWS),
		new Set([1, 2]))));
	return curve.figure;
}

function drawTimeline(timeline, windows) {
	const f = timeline.fields, width = timeline.width;
	const bands = windowBands(timeline, windows);
	const x = f.instructions.map((_, i) => (i + 1) * width);
	const section = sectionOf("timeline", "Timeline");
	const shared = {x, xLabel: "instructions", xText: shortNumber,
		yText: shortNumber, group: "time", bands};
	const levels = Object.keys(f).filter(k => k.endsWith(".read_misses"))
		.map(k => k.slice(0, -".read_misses".length));
	const misses = levels.map(level => ({label: level,
		values: f.instructions.map((n, i) => n ? 1000 *
			(f[level + ".read_misses"][i] +
			 (f[level + ".write_misses"] || [])[i] || 0) / n : 0)}));
	const add = (title, caption, series) => section.append(new Curve(
		{...shared, title, caption, series}).figure);
	if (misses.length)
		add("Misses per 1000 instructions", "Read and write misses of " +
			"each level, by interval of " + shortNumber(width) +
			" instructions.", misses);
	add("Data accesses", "Reads and writes in each interval.",
		["reads", "writes"].filter(k => f[k]).map(k =>
			({label: k, values: f[k]})));
	if (f.working_set)
		add("Working set", "Pages that are accessed in each interval.",
			[{label: "pages", values: f.working_set}]);
	const threads = f.running_threads || f.threads;
	if (threads && Math.max(...threads) > 1)
		add("Threads", "Threads that execute in each interval.",
			[{label: "threads", values: threads, isStep: true}]);
	if (bands.length)
		section.append(windowsFigure(shared, bands,
			Object.keys(f).filter(k => /^window\d+\./.test(k))
				.map(k => f[k])));
	if (timeline.heat && timeline.heat.accesses &&
	    timeline.heat.accesses.length)
		section.append(new HeatMap(timeline.heat, "time").figure);
}

// ---- cache size ----

// Return the curves of a sweep, by label: for each level, associativity and line
// size, a map from the cache size to the miss ratio [%].
function sweepSeries(table) {
	const groups = new Map();
	for (let i = 0; i < table.n; i++) {
		const label = table.cell(i, "level") + ", " + table.cell(i,
			"assoc") + "-way, lines of " + table.cell(i, "line");
		const accesses = table.cell(i, "reads") + table.cell(i, "writes");
		const misses = table.cell(i, "read_misses") +
			table.cell(i, "write_misses");
		if (!groups.has(label))
			groups.set(label, new Map());
		groups.get(label).set(table.cell(i, "size"),
			accesses ? 100 * misses / accesses : 0);
	}
	return groups;
}

// Return a sentence about the step to a larger size that removes most misses of
// a curve; null if no step removes at least half of them.
function kneeText(label, bySize) {
	const sizes = [...bySize.keys()].sort((a, b) => a - b);
	let best = null;
	for (let i = 1; i < sizes.length; i++) {
		const before = bySize.get(sizes[i - 1]);
		const removed = before - bySize.get(sizes[i]);
		if (before > 0 && removed / before >= 0.5 &&
		    (!best || removed > best.removed))
			best = {removed, share: removed / before,
				from: sizes[i - 1], to: sizes[i]};
	}
	return best && label + ": " + sizeText(best.to) + " has " +
		(100 * best.share).toFixed(0) + " % fewer misses than " +
		sizeText(best.from) + ".";
}

function drawSweep(sweep) {
	const table = new Table(sweep.configurations);
	const groups = sweepSeries(table);
	const sizes = [...new Set([...groups.values()].flatMap(g =>
		[...g.keys()]))].sort((a, b) => a - b);
	const knees = [...groups].map(([label, g]) => kneeText(label, g))
		.filter(k => k);
	const section = sectionOf("sweep", "Cache size");
	section.append(new Curve({title: "Miss ratio by size",
		caption: knees[0] || "No larger cache has half the misses of " +
			"the next smaller one.",
		x: sizes, xLabel: "bytes", xText: sizeText,
		yText: v => +v.toPrecision(3) + " %", isLog: true,
		series: [...groups].map(([label, g]) => ({label,
			values: sizes.map(s => g.has(s) ? g.get(s) : null)}))})
		.figure);
	section.append(resultNode("configurations", sweep.configurations, 2));
}

// ---- windows and processes ----

const MAX_COMMAND = 120; // characters of a command that are always shown

function drawWindows(windows) {
	const section = sectionOf("windows", "Windows");
	section.append(resultNode("windows", windows, 2));
}

function endText(exit) {
	const key = Object.keys(exit || {})[0];
	return !key ? "" : key === "code" ? "exit " + exit.code :
		key === "signal" ? "signal " + exit.signal : key;
}

// Return the rows of the processes, each child below its parent.
function processRows(list) {
	const rows = [], seen = new Set(), add = (tree, parent, depth) => {
		for (const p of list) {
			if (p.tree !== tree || p.parent !== parent ||
			    depth > 100 || seen.has(p))
				continue;
			seen.add(p);
			rows.push({p, depth});
			add(tree, p.number, depth + 1);
		}
	};
	for (const tree of new Set(list.map(p => p.tree)))
		add(tree, 0, 0);
	return rows;
}

// Return the title or the last command of process @p, indented by its depth in the
// tree. If the command is long, the whole of it is shown on a click.
function commandNode(p, depth) {
	const last = p.images && p.images.length ?
		p.images[p.images.length - 1] : p;
	const command = p.title || (last.command || ["not followed"]).join(" ");
	const indent = "\u2003".repeat(Math.min(depth, 8)) +
		(depth ? "\u2514 " : "");
	if (command.length <= MAX_COMMAND)
		return indent + command;
	return element("details", null, element("summary", null, indent +
		command.slice(0, MAX_COMMAND) + "..."), command);
}

function drawProcesses(run) {
	const list = plainValue(run.processes);
	const rows = processRows(list), most = 200;
	const section = sectionOf("processes", "Processes");
	const numbers = new Set([1, 4, 5, 6]);
	section.append(tableNode(["Command", "Process", "Status", "End",
		"Instructions", "Reads", "Writes"],
		rows.slice(0, most).map(({p, depth}) => [
			commandNode(p, depth),
			String(p.number), p.status || "", endText(p.exit),
			countNode(p.instructions || 0), countNode(p.reads || 0),
			countNode(p.writes || 0)]), numbers));
	if (rows.length > most)
		section.append(element("p", {class: "note"},
			"The first " + most + " of " + rows.length + "."));
}

// ---- recording ----

function drawRecording(run) {
	if (!run.adaptive || !run.adaptive.decisions)
		return;
	const t = new Table(run.adaptive.decisions);
	if (t.n < 2)
		return;
	const column = key => Array.from({length: t.n},
		(_, i) => t.cell(i, key) || 0);
	const first = t.cell(0, "at_ns");
	const x = column("at_ns").map(ns => (ns - first) / 1e9);
	document.getElementById("pipeline").append(new Curve({
		title: "Workers and buffers",
		caption: "Their numbers, as the daemon adapted them to the " +
			"program.",
		x, xLabel: "seconds", xText: v => +v.toPrecision(3) + " s",
		yText: shortNumber,
		series: ["workers", "buffers"].map(key => ({label: key,
			values: column(key), isStep: true}))}).figure);
}

// Add a line that names the analyses that the page could show and does not have.
function drawMissing(analyses) {
	const missing = ["timeline", "data", "loops", "branch", "mix"].filter(
		name => !analyses[name]);
	if (missing.length)
		document.getElementById("pipeline").append(element("p",
			{class: "note"}, "Not analysed: " + missing.map(name =>
				TITLES[name] || "Timeline").join(", ") +
			". Add " + missing.map(name => "--analyze=" + name)
			.join(" ") + " to the run, or to the replay of a profile."));
}

// ---- results of other analyses ----

// Keys of numbers that are no counts; tables are not sorted by them.
const NO_COUNTS = ["number", "line", "size", "assoc", "address", "depth",
	"offset", "from", "to", "from_line", "to_line", "call_line", "version",
	"from_version", "to_version", "thread", "spin", "element"];
const OWN_SECTIONS = ["cache", "sweep", "timeline"];
const TITLES = {files: "Cache files", data: "Data objects", loops: "Loops",
	branch: "Branches", mix: "Instruction mix", entropy: "Entropy of addresses",
	flow: "Control flow"};

// Argument @depth of resultNode() for nodes in an open row.
const NESTED = 100;

// Return @table with a column for the misses of each cache level, if its rows have
// lists of levels; else @table.
function tableWithMisses(table) {
	if (!table.keys.includes("levels"))
		return table;
	const rows = [];
	for (let i = 0; i < table.n; i++) {
		const row = table.row(i);
		for (const level of plainValue(row.levels || []))
			row[level.name + " misses"] = (level.read_misses || 0) +
				(level.write_misses || 0);
		rows.push(row);
	}
	const all = new Table(rows);
	all.all = table.all;
	all.others = table.others;
	return all;
}

// Return a grid for a table of any analysis. Members that are lists or objects
// are shown below a row when it is opened. @isNested: as of Grid.
function resultGrid(value, isNested) {
	const table = tableWithMisses(new Table(value));
	const isScalar = key => table.keys.includes(key) && ["string", "number",
		"boolean"].includes(typeof firstValue(table, key));
	const keys = table.keys.filter(isScalar);
	const nested = table.keys.filter(k => !isScalar(k));
	const names = keys.filter(k => !table.hasNumbers(k));
	const counts = keys.filter(k => table.hasNumbers(k));
	const columns = names.concat(counts).map(key => {
		const isCount = counts.includes(key);
		return {key, label: key.replaceAll("_", " "), isCount,
			text: i => String(table.cell(i, key) ?? ""),
			cell: i => {
				const v = table.cell(i, key);
				return v === undefined || v === null ? "" :
					isCount ? countNode(v) : String(v);
			}};
	});
	return new Grid({table, columns, isNested,
		sort: counts.find(k => k.includes("misses")) ||
			counts.find(k => k === "mispredicted") ||
			(nested.length ? null : counts.find(k =>
				!NO_COUNTS.includes(k)) || null),
		rowId: i => "r" + i + hashText(names.map(k =>
			table.cell(i, k)).join("\n")),
		matches: (i, words) => {
			const s = searchableText(names.map(k => table.cell(i, k)));
			return words.every(w => s.includes(w));
		},
		openRow: nested.length ? i => {
			const box = element("div", null);
			for (const key of nested)
				if (table.cell(i, key) !== undefined)
					box.append(resultNode(key,
						table.cell(i, key), NESTED));
			return box;
		} : null});
}

function firstValue(table, key) {
	for (let i = 0; i < table.n; i++) {
		const v = table.cell(i, key);
		if (v !== undefined && v !== null)
			return v;
	}
	return undefined;
}

// Return a node for a value of a result. @depth: 2 for the whole result of a
// section, 3 for its members, and so on.
function resultNode(key, value, depth) {
	const title = depth <= 3 ? element("h3", null,
		key.replaceAll("_", " ")) : element("p", null,
		element("strong", null, key.replaceAll("_", " ")));
	if (isTable(value)) {
		const grid = resultGrid(value, depth >= NESTED);
		if (grid.columns.length)
			return element("div", null, depth > 2 ? title : null,
				grid.node);
	}
	if (Array.isArray(value)) {
		const shown = value.slice(0, 100).map(v => typeof v === "object" ?
			JSON.stringify(plainValue(v)) : String(v)).join(", ");
		return element("p", null, element("strong", null,
			key.replaceAll("_", " ") + ": "), value.length ? shown +
			(value.length > 100 ? ", ..." : "") : "none");
	}
	if (value === null || typeof value !== "object")
		return element("p", null, element("strong", null,
			key.replaceAll("_", " ") + ": "), typeof value ===
			"number" ? countNode(value) : String(value));
	const box = element("div", null, title), list = element("dl", null);
	for (const name of Object.keys(value)) {
		const v = value[name];
		if (v === null || typeof v !== "object")
			list.append(element("dt", null,
				name.replaceAll("_", " ")), element("dd",
				{"data-key": name}, typeof v === "number" ?
				countNode(v) : String(v)));
	}
	if (list.children.length)
		box.append(list);
	for (const name of Object.keys(value))
		if (value[name] !== null && typeof value[name] === "object")
			box.append(resultNode(name, value[name], depth + 1));
	return box;
}

function drawOtherAnalyses(analyses, instructions) {
	for (const name of Object.keys(analyses)) {
		const {groups, loops} = analyses[name] || {};
		if (name === "data" && isTable(groups || [])) {
			drawDataObjects(analyses[name]);
			continue;
		}
		if (name === "loops" && isTable(loops || [])) {
			drawLoops(analyses[name], instructions);
			continue;
		}
		if (OWN_SECTIONS.includes(name) && !(analyses[name] || {}).stopped)
			continue;
		const section = sectionOf("analysis-" + name, TITLES[name] ||
			"Analysis: " + name);
		const value = analyses[name];
		if (isTable(value) || Array.isArray(value)) {
			section.append(resultNode(name, value, 2));
			continue;
		}
		const node = resultNode(name, value, 2);
		node.firstChild.remove();
		section.append(node);
	}
}
