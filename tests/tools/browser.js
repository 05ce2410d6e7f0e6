// SPDX-License-Identifier: GPL-2.0-or-later
// browser.js - opens pages in Chromium and tests them
//
//	node browser.js CHROMIUM FOLDER PART=PAGE...
//
// PART is report, editor, hostile, large, plots, whole, objects, diff or diffdata;
// PAGE.json has the report that PAGE was made from. Prints results in the Test
// Anything Protocol without a plan. puppeteer-core and axe-core are found by
// NODE_PATH; FOLDER is for the browser's files.
"use strict";
const fs = require("fs");
const path = require("path");
const puppeteer = require("puppeteer-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

const BOX = new RegExp("[\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f" +
	"\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ufeff]", "gu");
let tests = 0, failed = 0;

function ok(holds, fact, ...notes) {
	tests++;
	failed += !holds;
	console.log((holds ? "ok " : "not ok ") + tests + " - " + fact);
	if (!holds)
		for (const note of notes)
			console.log("# " + String(note).replaceAll("\n", "\n# "));
}

function equal(got, want, fact) {
	ok(got === want, fact, "got  " + got, "want " + want);
}

// Open a page. Return it with the messages that it printed and the addresses that
// it requested.
async function open(browser, file, options = {}) {
	const page = await browser.newPage();
	page.said = [];
	page.asked = [];
	page.on("console", m => page.said.push(m.text()));
	page.on("pageerror", e => page.said.push(e.message));
	page.on("dialog", d => {
		page.said.push("dialog");
		d.dismiss();
	});
	page.on("request", r => {
		if (r.url() !== page.begun)
			page.asked.push(r.url().slice(0, 100));
	});
	await page.setViewport({width: options.width || 1280, height: 900});
	await page.emulateMediaFeatures([{name: "prefers-color-scheme",
		value: options.scheme || "light"}]);
	if (options.noScript)
		await page.setJavaScriptEnabled(false);
	page.begun = "file://" + path.resolve(file);
	await page.goto(page.begun + (options.hash || ""));
	if (!options.noScript)
		await page.waitForFunction(
			"document.documentElement.dataset.ready === '1'",
			{timeout: 20000});
	return page;
}

function checkQuiet(page, name) {
	equal(page.said.join("\n"), "", name + ": no console message");
	equal(page.asked.join("\n"), "", name + ": no request");
}

async function checkAccessibility(page, name) {
	await page.evaluate(axe);
	const found = await page.evaluate("axe.run().then(r => r.violations" +
		".map(v => v.id + ': ' + v.nodes[0].html).join('\\n'))");
	equal(found, "", name + ": no violation of accessibility");
}

// ---- the numbers ----

// Return the first rows of a table as texts, by the data-key of their cells.
function rowsOf(page, id) {
	return page.$$eval("#" + id + " .grid tr[data-row]", rows =>
		rows.map(r => Object.fromEntries([["name",
			(r.querySelector("th button") ||
			 r.querySelector("th")).textContent],
			...[...r.querySelectorAll("td[data-key]")].map(
				c => [c.dataset.key, c.textContent])])));
}

async function checkLevels(page, report) {
	const drawn = await page.$$eval("[data-level]", cells => cells.map(c =>
		[c.dataset.level, c.dataset.event, c.dataset.value,
		 c.textContent].join(" ")));
	const want = report.analyses.cache.levels.flatMap(l => ["reads",
		"read_misses", "writes", "write_misses", "writebacks"].map(e =>
		[l.name, e, l[e], l[e]].join(" ")));
	equal(drawn.sort().join("\n"), want.sort().join("\n"),
		"the levels have the numbers of the JSON report");
}

// Compare the rows of a section with the report's, sorted by @event. @nameOf: the
// text of the first cell.
async function checkRows(page, id, list, event, nameOf) {
	const drawn = await rowsOf(page, id);
	const want = [...list].sort((a, b) => b[event] - a[event])
		.slice(0, 50);
	const bad = [];
	equal(drawn.length, want.length, id + ": 50 rows at most are drawn");
	for (let i = 0; i < want.length; i++) {
		const row = drawn[i] || {};
		if (Number(row[event]) !== want[i][event])
			bad.push(i + ": " + event + " " + row[event]);
		const same = list.some(w => nameOf(w).replace(BOX, "\u25a1") ===
			row.name && Object.keys(row).every(k =>
				!(k in w) || k === "name" || String(w[k])
				.replace(BOX, "\u25a1") === row[k]));
		if (!same)
			bad.push(JSON.stringify(row));
	}
	equal(bad.join("\n"), "", id + ": every number is the report's");
}

async function showAllCode(page) {
	for (const id of ["functions", "lines"]) {
		const box = await page.$("#" + id + " input:checked");
		if (box)
			await box.click();
	}
}

// Compare the rows of the table of functions when the page opens with the user's
// functions of the report.
async function checkOwnCode(page, report) {
	const own = report.analyses.cache.functions.filter(f =>
		f.object === "page-guest").length;
	equal((await rowsOf(page, "functions")).map(r => r.object).join(" "),
		Array(own).fill("page-guest").join(" "),
		"the page opens with the functions of the user");
	const hidden = await page.$eval("#functions .note", n => n.textContent);
	ok(hidden.includes("; " + (report.analyses.cache.functions.length - own) +
		" of libraries"), "and counts those that are hidden", hidden);
	await showAllCode(page);
}

async function checkReport(browser, file, report) {
	const cache = report.analyses.cache;
	const begun = Date.now();
	const page = await open(browser, file);
	const took = Date.now() - begun;
	console.log("# ready in " + took + " ms");
	ok(took < 15000, "the page is ready", took);
	await checkOwnCode(page, report);
	await checkLevels(page, report);
	const sorted = await page.$eval("#functions th[aria-sort]", h =>
		h.textContent.split(" ")[0]);
	await checkRows(page, "functions", cache.functions, sorted,
		f => f.name);
	await checkRows(page, "lines", cache.lines, sorted,
		l => l.file + ":" + l.line);
	checkQuiet(page, "report");
	await checkAccessibility(page, "light");
	return page;
}

// ---- actions of a reader ----

async function checkUse(browser, file, report) {
	const page = await open(browser, file);
	const name = report.analyses.cache.functions.find(f =>
		f.object === "page-guest" && f.name === "main").name;
	await showAllCode(page);
	await page.keyboard.press("/");
	await page.keyboard.type("page-guest");
	const rows = await rowsOf(page, "functions");
	ok(rows.length > 0 && rows.every(r => r.object === "page-guest"),
		"a search leaves the rows that match");
	await page.keyboard.press("Tab");
	await page.focus("#theme");
	await page.keyboard.press("j");
	const focused = await page.evaluate(
		"document.activeElement.className");
	equal(focused, "open", "j focuses a row");
	await page.keyboard.press("Enter");
	await page.waitForSelector("tr.detail");
	const source = await page.$eval("tr.detail", d => d.textContent);
	ok(source.includes("sum +="), "Enter opens its source", source);
	const hash = await page.evaluate("location.hash");
	const again = await open(browser, file, {hash});
	ok(await again.$("tr.detail"), "the address opens the row again");
	equal(await again.$eval("#search", s => s.value), "page-guest",
		"and has the search");
	await page.goBack();
	ok(!await page.$("tr.detail"), "the button 'back' closes it");
	ok(name === "main", "the report has the function");
	await page.keyboard.press("]");
	ok(await page.evaluate("document.activeElement.tagName") === "H2",
		"] focuses a section");
	checkQuiet(page, "use");
	const whole = await open(browser, file);
	await showAllCode(whole);
	const id = await whole.$$eval("#functions tr[data-row]", rows =>
		rows.find(r => !r.textContent.includes("page-guest"))
			.dataset.row);
	const hidden = await open(browser, file, {hash: "#open=" + id});
	ok(await hidden.$("#functions tr.detail"),
		"an address opens a row that is hidden at first");
}

// The lines of an open row are links to the editor.
async function checkEditor(browser, file, report) {
	const page = await open(browser, file);
	const path = report.analyses.cache.lines.find(l =>
		l.file === "page-guest.c").path;
	await page.keyboard.press("/");
	await page.keyboard.type("page-guest");
	await page.click("#functions button.open");
	await page.waitForSelector("tr.detail a");
	const links = await page.$$eval("tr.detail a", all => all.map(a =>
		a.textContent + " " + a.getAttribute("href")));
	ok(links.length > 5 && links.every(l => l === l.split(" ")[0] +
		" vscode://file" + path + ":" + l.split(" ")[0]),
		"line numbers are links to the editor", links[0]);
	checkQuiet(page, "editor");
	await checkAccessibility(page, "editor");
}

async function checkNoScript(browser, file, report) {
	const page = await open(browser, file, {noScript: true});
	await checkLevels(page, report);
	equal(await page.$$eval("#functions tbody tr", r => r.length), 10,
		"without script, ten functions");
	equal(await page.$$eval("#lines tbody tr", r => r.length), 10,
		"without script, ten lines");
	equal((await page.$$eval("#verdict li", l => l.map(e =>
		e.textContent))).join("\n"), report.verdict.join("\n"),
		"without script, what stands out");
}

async function checkLooks(browser, file, folder) {
	for (const [width, scheme] of [[360, "light"], [360, "dark"],
		[800, "light"], [1280, "dark"], [3840, "light"]]) {
		const name = width + " " + scheme;
		const page = await open(browser, file, {width, scheme});
		const wide = await page.evaluate(
			"document.documentElement.scrollWidth");
		ok(wide <= width, name + ": no horizontal scroll", wide);
		if (width < 800 || scheme === "dark")
			await checkAccessibility(page, name);
		checkQuiet(page, name);
		await page.close();
	}
	const page = await open(browser, file);
	await page.pdf({path: path.join(folder, "page.pdf"), format: "A4"});
	ok(fs.statSync(path.join(folder, "page.pdf")).size > 20000,
		"it can be printed");
	checkQuiet(page, "print");
}

// ---- hostile names ----

async function checkHostile(browser, file, report) {
	const page = await open(browser, file);
	equal(await page.evaluate("typeof window.pwned"), "undefined",
		"hostile names run no script");
	equal(await page.$$eval("main img, main iframe, main b, " +
		"main script:not(#data), " +
		"main a[href^=java]", e => e.length), 0,
		"hostile names make no elements");
	await showAllCode(page);
	const drawn = (await rowsOf(page, "functions")).map(r => r.name);
	const want = report.analyses.cache.functions.map(f => f.name);
	const bad = want.filter(n => !drawn.includes(n.length > 4096 ?
		n.slice(0, 4096).replace(BOX, "\u25a1") + "..." :
		n.replace(BOX, "\u25a1")));
	ok(want.length >= 40, "forty hostile names");
	equal(bad.join("\n"), "", "each is drawn as it is");
	checkQuiet(page, "hostile");
	await checkAccessibility(page, "hostile");
	const still = await open(browser, file, {noScript: true});
	equal(await still.$$eval("main img, main iframe, main b",
		e => e.length), 0, "nor without script");
}

// ---- large, and other pages ----

async function checkLarge(browser, file, report) {
	const rows = report.analyses.cache.functions.length;
	const begun = Date.now();
	const page = await open(browser, file);
	const took = Date.now() - begun;
	console.log("# " + rows + " functions: ready in " + took + " ms");
	ok(took < 15000, "a page of many functions is ready", took);
	const others = await page.$eval("#functions tfoot th",
		t => t.textContent);
	ok(/^\d+ others$/.test(others), "others are added up", others);
	checkQuiet(page, "large");
}

async function checkPlots(browser, file) {
	const wanted = 3;
	const page = await open(browser, file);
	const found = await page.$$eval("figure canvas", c => c.length);
	ok(found >= wanted, wanted + " plots are drawn", found);
	const fold = await page.$("figure details summary");
	await fold.click();
	await page.waitForSelector("figure details table");
	ok(true, "a plot has a table");
	await page.click("#sweep figure details summary");
	await page.waitForSelector("#sweep figure details table");
	equal(await page.$$eval("#sweep figure details td", c =>
		c.filter(e => e.textContent === "-").length), 1,
		"a combination that the sweep lacks has no value");
	await page.focus(".plot");
	await page.keyboard.press("ArrowRight");
	ok((await page.$eval("#live", l => l.textContent)).length > 3,
		"an arrow key reads a value");
	const over = await page.$("#timeline .u-over");
	await over.scrollIntoView();
	const box = await over.boundingBox();
	const before = await page.$eval(".heat", h => h.width);
	await page.mouse.move(box.x + box.width * 0.3, box.y + 50);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.6, box.y + 50, {steps: 5});
	await page.mouse.up();
	const after = await page.$eval(".heat", h => h.width);
	ok(after > before * 0.2 && after < before * 0.4,
		"a zoom of a curve zooms the heat map", before, after);
	const intervals = await page.evaluateHandle(
		"[...document.querySelectorAll('#timeline summary')].find(s => " +
		"s.textContent === 'Table of the intervals').parentNode");
	equal(await intervals.$$eval("tbody tr", rows => rows.map(r =>
		[...r.children].map(c => c.textContent).join()).join("; ")),
		[[300, 400], [700, 701]].map(([from, to]) => ["window 2",
		from * 65536, to * 65536].join()).join("; "),
		"the intervals in which a window is open");
	checkQuiet(page, "plots");
	await checkAccessibility(page, "plots");
}

// A result that cannot be drawn does not affect the other parts of the page.
async function checkWhole(browser, file, report) {
	const page = await open(browser, file);
	const stopped = report.analyses.timeline.stopped;
	ok(await page.$eval("#contents", c => c.textContent.includes("Processes")),
		"all sections are there");
	equal(await page.$eval("main", (m, s) => !s ||
		m.textContent.includes(s), stopped), true,
		"the page has the reason why a result was stopped");
	await page.keyboard.press("/");
	await page.keyboard.type("no such function");
	equal(await page.$$eval("#functions tr[data-row]", r => r.length), 0,
		"the search works");
	checkQuiet(page, "whole");
}

// Data objects and loops have the numbers of the report.
async function checkObjects(browser, file, report) {
	const page = await open(browser, file);
	const level = report.analyses.data.groups[0].levels[0].name;
	const missesOf = g => g.levels.filter(l => l.name === level)
		.reduce((sum, l) => sum + l.read_misses + l.write_misses, 0);
	const groups = [...report.analyses.data.groups].sort((x, y) =>
		missesOf(y) - missesOf(x)).slice(0, 50);
	const rows = await rowsOf(page, "analysis-data");
	equal(rows.map(r => [r.name, r[level + " misses"], r.reads].join())
		.slice(0, 5).join("\n"), groups.map(g => [g.label, missesOf(g),
		g.reads].join()).slice(0, 5).join("\n"),
		"data objects have the numbers of the report");
	equal((await page.$$eval("#analysis-data [data-key=notes]", lines =>
		lines.map(e => e.textContent))).join("\n"),
	report.analyses.data.notes.join("\n"),
	"the notes of the data analysis are lines of the page");
	const loops = [...report.analyses.loops.loops].sort((x, y) =>
		y.instructions - x.instructions);
	equal((await rowsOf(page, "analysis-loops")).slice(0, 5).map(r =>
		[r.name, r.instructions, r.iterations].join()).join("\n"),
		loops.slice(0, 5).map(l => [l.function, l.instructions,
		l.iterations].join()).join("\n"),
		"loops have the numbers of the report");
	await page.click("#analysis-data button.open");
	await page.waitForSelector("#analysis-data tr.detail");
	checkQuiet(page, "objects");
	await checkAccessibility(page, "objects");
	ok(await page.$eval("#pipeline", p => p.textContent.includes(
		"Not analysed: Branches, Instruction mix.")),
		"the page names the analyses that it lacks");
}

// The curves of both runs are drawn over each other, with their values.
async function checkDiffCurves(page, reports) {
	const wanted = reports.flatMap((r, side) => r.analyses.timeline.fields
		? ["I1", "D1", "LL"].map(l => "AB"[side] + ": " + l) : []);
	const labels = await page.$$eval("#timeline .u-legend th", t =>
		t.map(e => e.textContent.replace(/:$/, "")));
	equal(labels.slice(1).join(), wanted.join(),
		"diff: a curve for each level of each run");
	await page.click("#timeline summary");
	await page.waitForSelector("#timeline details table");
	const first = await page.$eval("#timeline details tbody tr", r =>
		[...r.querySelectorAll("td")].map(c => c.textContent));
	const {fields} = reports[0].analyses.timeline;
	const misses = 1000 * (fields["D1.read_misses"][0] +
		fields["D1.write_misses"][0]) / fields.instructions[0];
	equal(first[1], String(+misses.toPrecision(4)),
		"diff: the first value of a curve");
}

async function checkDiff(browser, file, diff) {
	const page = await open(browser, file, {width: 360});
	const event = await page.$eval("#event", e => e.value);
	const drawn = await rowsOf(page, "functions");
	const change = f => Math.abs(f[event].b - f[event].a);
	const want = [...diff.functions].sort((x, y) => change(y) - change(x));
	const bad = drawn.filter((row, i) => !diff.functions.some(f =>
		row.name === f.name + (f.b_name ? " \u2192 " + f.b_name : "") &&
		Number(row["@a"]) === f[event].a &&
		Number(row["@b"]) === f[event].b) ||
		Number(row["@change"].replace(/[^0-9]/g, "")) !==
		change(want[i]));
	equal(JSON.stringify(bad), "[]", "diff: every number of a function");
	await page.select("#event", "Dw");
	equal(await page.$eval("#functions td[data-key='@a']", c =>
		c.textContent), String([...diff.functions].sort((x, y) =>
		Math.abs(y.Dw.b - y.Dw.a) - Math.abs(x.Dw.b - x.Dw.a))[0].Dw.a),
		"diff: another event");
	await page.click("#functions button.open");
	await page.waitForSelector("tr.detail code");
	ok(true, "diff: a row opens both sources");
	ok(await page.evaluate("document.documentElement.scrollWidth") <= 360,
		"diff: no horizontal scroll at 360");
	await checkDiffCurves(page, ["A", "B"].map(side => JSON.parse(
		fs.readFileSync(file + "." + side, "utf8"))));
	checkQuiet(page, "diff");
	await checkAccessibility(page, "diff");
}

// The data objects of a comparison are sorted by their changes.
async function checkDiffData(browser, file, diff) {
	const page = await open(browser, file, {width: 360});
	const change = d => d.last_misses.b - d.last_misses.a;
	const want = [...diff.data].sort((x, y) => Math.abs(change(y)) -
		Math.abs(change(x)))[0];
	const row = (await rowsOf(page, "data-objects"))[0];
	equal([row.name, row["a:last_misses"], row["b:last_misses"],
		row["a:bytes"], row["@last_misses"].replace(/[^0-9]/g, "")]
		.join(), [want.name + (want.b_name ? " \u2192 " + want.b_name :
		""), want.last_misses.a, want.last_misses.b, want.bytes.a,
		Math.abs(change(want))].join(),
		"diff: the data object that changed most is the first one");
	ok(await page.evaluate("document.documentElement.scrollWidth") <= 360,
		"diff: no horizontal scroll with data objects");
	checkQuiet(page, "diff of data objects");
	await checkAccessibility(page, "diff of data objects");
}

const parts = {
	report: async (browser, file, json, folder) => {
		await checkReport(browser, file, json);
		await checkUse(browser, file, json);
		await checkNoScript(browser, file, json);
		await checkLooks(browser, file, folder);
	},
	editor: checkEditor,
	hostile: checkHostile,
	large: checkLarge,
	plots: checkPlots,
	whole: checkWhole,
	objects: checkObjects,
	diff: checkDiff,
	diffdata: checkDiffData,
};

async function main() {
	const [chromium, folder, ...words] = process.argv.slice(2);
	const browser = await puppeteer.launch({executablePath: chromium,
		headless: true, userDataDir: path.join(folder, "browser"),
		args: process.getuid() === 0 ? ["--no-sandbox"] : []});
	try {
		for (const word of words) {
			const [part, file] = word.split("=");
			await parts[part](browser, file, JSON.parse(
				fs.readFileSync(file + ".json", "utf8")),
				folder);
		}
	} finally {
		await browser.close();
	}
	process.exitCode = failed ? 1 : 0;
}

main().catch(e => {
	ok(false, "the browser runs: " + e.stack.replaceAll("\n", "; "));
	process.exitCode = 1;
});
