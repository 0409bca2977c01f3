import { load, type CheerioAPI } from 'cheerio/slim';
import { emptyFindings, rowsOf, type Findings } from './findings.cts';
import { labelled } from './text.cts';

/** Class names that name the value itself. */
const tellingClasses = ['price', 'brand', 'rating', 'availability', 'sku', 'author', 'category'];

/** Reads the labelled values, tables and lists of a web page. */
export function readHtml(html: string): Findings {
	const $ = load(html);
	const findings = emptyFindings();
	$('script, style, nav, template').remove();
	// The order decides which of two equally good values is taken.
	readHeading($, findings);
	readDefinitionLists($, findings);
	readTables($, findings);
	readLabelElements($, findings);
	readLabelledTexts($, findings);
	readTellingMarkup($, findings);
	readHead($, findings);
	readLists($, findings);
	findings.links = attributes($, 'a[href]', 'href');
	findings.images = attributes($, 'img[src]', 'src');
	return findings;
}

function tidy(text: string): string {
	return text.replace(/\s+/g, ' ').trim();
}

function add(findings: Findings, label: string, value: string, ...more: string[]): void {
	const tidyLabel = tidy(label).replace(/\s*:$/, '');
	if (tidyLabel === '' || tidy(value) === '') return;
	findings.values.push({ labels: [tidyLabel, ...more], value: tidy(value) });
}

function attributes($: CheerioAPI, selector: string, name: string): string[] {
	return $(selector)
		.toArray()
		.map((element) => $(element).attr(name) ?? '');
}

function readHeading($: CheerioAPI, findings: Findings): void {
	add(findings, 'name', $('h1').first().text(), 'title', 'product name', 'page heading');
}

function readDefinitionLists($: CheerioAPI, findings: Findings): void {
	$('dt').each((_, term) => {
		add(findings, $(term).text(), $(term).nextAll('dd').first().text());
	});
}

function readTables($: CheerioAPI, findings: Findings): void {
	$('table').each((_, table) => {
		const rows = $(table).find('tr').toArray();
		const cells = rows.map((row) =>
			$(row)
				.children('th, td')
				.toArray()
				.map((cell) => tidy($(cell).text())),
		);
		const headed = rows.length > 1 && $(rows[0]).children('td').length === 0;
		if (headed) findings.tables.push(rowsOf(cells[0], cells.slice(1)));
		else for (const [label = '', value = ''] of cells) add(findings, label, value);
	});
}

function readLabelElements($: CheerioAPI, findings: Findings): void {
	$('.label').each((_, label) => {
		add(findings, $(label).text(), $(label).next().text());
	});
}

function readLabelledTexts($: CheerioAPI, findings: Findings): void {
	$('p, li').each((_, element) => {
		const pair = labelled(tidy($(element).text()));
		if (pair !== undefined) add(findings, pair.label, pair.value);
	});
}

function readTellingMarkup($: CheerioAPI, findings: Findings): void {
	for (const name of tellingClasses) add(findings, name, $(`.${name}`).first().text());
	$('[itemprop]').each((_, element) => {
		const value = $(element).attr('content') ?? $(element).text();
		add(findings, $(element).attr('itemprop') ?? '', value);
	});
}

function readHead($: CheerioAPI, findings: Findings): void {
	$('meta[content]').each((_, meta) => {
		const name = $(meta).attr('name') ?? $(meta).attr('property') ?? '';
		add(findings, name.replace(/^og:/, ''), $(meta).attr('content') ?? '');
	});
	add(findings, 'page title', $('title').first().text());
}

/** A list whose entries mark their parts by class is a table in disguise. */
function readLists($: CheerioAPI, findings: Findings): void {
	$('ul, ol').each((_, list) => {
		const items = $(list).children('li').toArray();
		const rows = items.map((item) => {
			const parts = $(item).find('[class]').toArray();
			const byClass = parts.map((part) => [$(part).attr('class'), tidy($(part).text())]);
			return { item: tidy($(item).text()), ...Object.fromEntries(byClass) };
		});
		if (rows.length > 1) findings.tables.push(rows);
	});
}
