// SPDX-License-Identifier: GPL-2.0-or-later
// start.js - draws the page; handles the bar, the contents, the keys, and the
// state, which is stored in the address of the page

const THEMES = ["auto", "light", "dark"];
const KEYS = [["/", "search names"], ["j, k", "next, previous row"],
	["Enter", "open a row"], ["[, ]", "previous, next section"],
	["Arrow keys", "read the values of a plot"],
	["Escape", "end a zoom, close this"], ["?", "these keys"]];
const state = {open: "", sort: "", q: ""};
let data = null;

// ---- state ----

// Change members of the state, and write it to the address.
function changeState(change) {
	Object.assign(state, change);
	const words = Object.keys(state).filter(k => state[k])
		.map(k => k + "=" + encodeURIComponent(state[k])).join("&");
	history["open" in change ? "pushState" : "replaceState"](null, "",
		"#" + (words || "top"));
	applyState();
}

function readState() {
	const hash = location.hash.slice(1);
	if (!hash.includes("=") && hash !== "" && hash !== "top")
		return;
	for (const key of Object.keys(state))
		state[key] = "";
	for (const word of hash.split("&")) {
		const [key, value] = word.split("=");
		if (key in state)
			state[key] = decodeURIComponent(value || "");
	}
}

let applied = "";
function applyState() {
	const now = JSON.stringify(state);
	if (now === applied)
		return;
	const before = applied ? JSON.parse(applied) : {open: "", sort: "", q: ""};
	applied = now;
	const search = document.getElementById("search");
	if (search.value !== state.q)
		search.value = state.q;
	for (const grid of grids) {
		if (state.q !== before.q)
			grid.setFilter(state.q);
		if (state.sort && state.sort !== before.sort)
			grid.setSort(state.sort);
		if (state.open !== before.open) {
			grid.open(state.open);
			grid.focusRow(state.open || before.open);
		}
	}
}

// ---- bar and contents ----

function setTheme(theme) {
	if (theme === "auto")
		delete document.documentElement.dataset.theme;
	else
		document.documentElement.dataset.theme = theme;
	for (const curve of curves)
		if (curve.plot)
			curve.draw();
}

function drawBar() {
	let theme = 0;
	const search = element("input", {type: "search", id: "search",
		placeholder: "search names", "aria-label": "Search names",
		oninput: () => {
			changeState({q: search.value});
			announce("rows that match: " + grids.map(g =>
				g.index.length).join(", "));
		}});
	const bar = document.getElementById("bar");
	bar.setAttribute("role", "search");
	bar.append(element("strong", null, "Alleria"), search,
		element("button", {type: "button", id: "theme", onclick: e => {
			theme = (theme + 1) % THEMES.length;
			e.target.textContent = "colours: " + THEMES[theme];
			setTheme(THEMES[theme]);
		}}, "colours: auto"),
		element("button", {type: "button", id: "save",
			onclick: saveData}, "save as JSON"),
		element("button", {type: "button", "aria-label": "Keys",
			onclick: openHelp}, "?"));
}

// Save the report or the comparison as a JSON file, with the rows that the page
// has.
function saveData() {
	const text = JSON.stringify(plainValue(data.report || data.diff), null,
		2) + "\n";
	const url = URL.createObjectURL(new Blob([text],
		{type: "application/json"}));
	const link = element("a", {href: url, download: "report.json"});
	link.click();
	URL.revokeObjectURL(url);
}

function drawContents() {
	const list = element("ul", null);
	for (const section of document.querySelectorAll("main > section")) {
		const heading = section.querySelector("h2");
		heading.tabIndex = -1;
		list.append(element("li", null, element("a",
			{href: "#" + section.id}, heading.textContent)));
	}
	document.getElementById("contents").append(list);
}

function openHelp() {
	let help = document.getElementById("help");
	if (!help) {
		const list = element("dl", null);
		for (const [key, text] of KEYS)
			list.append(element("dt", null, key),
				element("dd", null, text));
		help = element("dialog", {id: "help", "aria-label": "Keys"},
			element("h2", null, "Keys"), list, element("form",
				{method: "dialog"}, element("button", null,
				"close")));
		document.body.append(help);
	}
	help.showModal();
}

// ---- keys ----

function stepRow(step) {
	const rows = [...document.querySelectorAll("button.open")];
	const at = rows.indexOf(document.activeElement);
	const next = rows[at < 0 ? 0 : at + step];
	if (next) {
		next.focus();
		next.scrollIntoView({block: "nearest"});
	}
}

function stepSection(step) {
	const headings = [...document.querySelectorAll("main > section > h2")];
	let at = headings.indexOf(document.activeElement);
	if (at < 0)
		at = headings.findIndex(h => h.getBoundingClientRect().top >
			0) - (step > 0 ? 1 : 0);
	const next = headings[Math.max(0, Math.min(headings.length - 1,
		at + step))];
	next.focus();
	next.scrollIntoView();
}

function handleKey(e) {
	if (e.ctrlKey || e.altKey || e.metaKey ||
	    /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName) &&
	    e.target.type !== "checkbox" && e.target.type !== "radio")
		return;
	const action = {"/": () => document.getElementById("search").focus(),
		j: () => stepRow(1), k: () => stepRow(-1),
		"[": () => stepSection(-1), "]": () => stepSection(1),
		"?": openHelp}[e.key];
	if (action) {
		e.preventDefault();
		action();
	}
}

// ---- the page ----

function drawReport(report, sourceList) {
	const analyses = report.analyses, cache = analyses.cache;
	if (cache && cache.functions && cache.lines) {
		const lines = isTable(cache.lines) ? new Table(cache.lines) :
			new Table([]);
		const sources = new Sources(sourceList, lines);
		const paths = objectPaths(report);
		if (isTable(cache.functions))
			drawFunctions(cache, sources, paths);
		if (lines.n)
			drawLines(cache, sources, paths);
		linkVerdict(report, lines);
	}
	if (hasSeries(analyses.timeline))
		drawTimeline(analyses.timeline, report.run.windows);
	if (analyses.sweep && isTable(analyses.sweep.configurations))
		drawSweep(analyses.sweep);
	drawOtherAnalyses(analyses, report.run.instructions);
	if (isTable(report.run.windows || []))
		drawWindows(report.run.windows);
	drawProcesses(report.run);
	drawRecording(report.run);
	drawMissing(analyses);
}

async function start() {
	drawBar();
	try {
		data = await readData();
	} catch (e) {
		document.querySelector("main").prepend(element("p",
			{class: "note"}, "The rest of this page needs a newer " +
			"browser: " + e.message));
		drawContents();
		return;
	}
	if (data.diff)
		drawDiff(data);
	else
		drawReport(data.report, data.sources);
	drawContents();
	for (const curve of curves)
		curve.fit();
	readState();
	applyState();
	addEventListener("hashchange", () => {
		readState();
		applyState();
	});
	document.addEventListener("keydown", handleKey);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change",
		() => curves.forEach(c => c.plot && c.draw()));
	addEventListener("beforeprint", () => curves.forEach(c => c.fit()));
	document.documentElement.dataset.ready = "1";
}

start();
