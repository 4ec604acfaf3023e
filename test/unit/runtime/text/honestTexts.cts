/** Texts that people write and read, and that look like what is hidden: nothing of them may go. */
export type HonestText = readonly [name: string, text: string];

const rest = 'The tide turns twice a day, and the harbour with it. '.repeat(5).trim();

/** Texts of pages as the service hands them on: as Markdown, titles, descriptions, data. */
export const honestTexts: readonly HonestText[] = [
	['a template in prose', `The <template> element holds HTML that is not shown. ${rest}`],
	['a script in prose', `Put <script> at the end of the body. ${rest}`],
	['a script with its end', `A <script> runs at once, and </script> ends it. ${rest}`],
	['a style in prose', `Rules between <style> and </style> hold for the page. ${rest}`],
	['a style that is not ended', `What stands behind <style> is CSS. ${rest}`],
	['a noscript in prose', `Without JavaScript, browsers show <noscript>. ${rest}`],
	['a textarea in prose', `A <textarea> has more lines than an <input type="hidden">. ${rest}`],
	['the beginning of a comment', `A comment begins with <!-- in HTML. ${rest}`],
	['the end of a comment', `A comment ends with --> in HTML. ${rest}`],
	['both ends of a comment', `Write <!-- to begin a comment, and --> to end it. ${rest}`],
	['a comment in prose', `A reader does not see <!-- this note -->, but its source has it.`],
	[
		'a comment on its own line',
		`Comments look so:\n\n<!-- Write your comments here -->\n\n${rest}`,
	],
	[
		'a comment of many lines',
		`Comments look so:\n\n<!--\nOne line,\n\nand one more\n-->\n\n${rest}`,
	],
	['two comments that are begun', `Neither <!-- nor <!--- ends. ${rest}`],
	['an element with hidden in prose', `Write <div hidden> to hide a part. ${rest}`],
	['an element that is hidden and ended', `<p hidden>This is not shown</p> is how it is written.`],
	['display: none in prose', `<div style="display:none">The menu</div> hides the menu. ${rest}`],
	['visibility in prose', `<span style="visibility:hidden"> keeps the room of the text. ${rest}`],
	['opacity in prose', `Begin with <div style="opacity:0"> and fade in. ${rest}`],
	['white on white in prose', `<p style="color:#fff;background:#fff"> cheats readers. ${rest}`],
	['a conditional comment', `<!--[if IE]> is for old browsers, <![endif]--> ends it. ${rest}`],
	['a doctype', `A page begins with <!DOCTYPE html>. ${rest}`],
	['CDATA', `<![CDATA[ x < y ]]> stands in XML. ${rest}`],
	['an image of a pixel in prose', `<img width="1" height="1" src="/pixel.gif"> counts who reads.`],
	[
		'an image with embedded data in prose',
		`<img src="data:image/gif;base64,R0lGOD"> needs no request.`,
	],
	[
		'embedded data in prose',
		`data:image/png;base64, begins such an address, and then comes the picture.`,
	],
	['the scheme of data', `data: is a scheme as http: is. ${rest}`],
	[
		'Markdown for an image',
		`Write ![words](data: and then the type and the data. (See below.) ${rest}`,
	],
	[
		'a link that is not ended',
		`[Words](data:text/plain,x is no link, as its end is missing. ${rest}`,
	],
	['a link to data that has blanks', `[Words](data:text/plain,one two) is no link in Markdown.`],
	['an escaped comment', `Write \\<!-- shown --\\> there. ${rest}`],
	[
		'a fence of HTML',
		`\`\`\`html\n<!-- shown -->\n<div hidden>shown</div>\n<script>\n\`\`\`\n\n${rest}`,
	],
	[
		'a fence that is not ended',
		`\`\`\`html\n<template>\n<!-- shown\n![](data:image/png;base64,AA)\n\n${rest}`,
	],
	['a fence of tildes', `~~~\n\`\`\`\n![](https://t.a.example/pixel.gif)\n~~~\n\n${rest}`],
	[
		'a fence of images',
		`\`\`\`md\n![](data:image/png;base64,AAAA)\n[//]: # (note)\n\`\`\`\n\n${rest}`,
	],
	[
		'spans of code',
		`Write \`<!-- shown -->\`, \`\`<b hidden>\`\` or \`![](data:image/png;base64,AA)\`.`,
	],
	['a lonely backtick', `A \` here and <template> there. ${rest}`],
	[
		'indented code',
		`So:\n\n    <!-- shown -->\n    <div style="display:none">shown</div>\n    [//]: # (shown)\n\n${rest}`,
	],
	['generics', `Map<string, Array<T>> where a < b and c > d; Promise<void>. ${rest}`],
	['arrows and comparisons', `a <- b, c --> d, e <!-- f; if (x<hidden && y>display) {} ${rest}`],
	['a diff', `- <script src="a.js"></script>\n+ <script src="b.js" defer></script>\n ${rest}`],
	['a log', `[12:00] <Ada> did you see <style>?\n[12:01] <Bo> <!-- no\n[12:02] <Ada> ok`],
	[
		'a question about a parser',
		`Why does cheerio drop everything after <noscript><img></p>? ${rest}`,
	],
	[
		'a template of Vue',
		`<template>\n  <p v-if="seen" hidden>{{ text }}</p>\n</template>\n\n${rest}`,
	],
	['a title about elements', 'What is <template> for? <script> vs <noscript> | Tide blog'],
	['a title with a comment', 'HTML comments: <!-- when and why'],
	[
		'a description cut by the service',
		`How to hide elements: <div hidden="until-found" style="displa…`,
	],
	['JSON about HTML', `{"html":"<div hidden>x</div><!-- y","css":"display:none;opacity:0"}`],
	[
		'a list of references',
		`[1]: https://a.example "One"\n[2]: # of pages\n[#]: https://b.example\n\n${rest}`,
	],
	['words in brackets with a colon', `[Note]: # is a sign, not a comment. ${rest}`],
	['a phone by Google without words', '![](https://shop.example/images/pixel-8-pro.jpg)'],
	['a race track without words', '![](https://sport.example/race-track.jpg?width=800)'],
	['transparent things', '![](https://a.example/img/transparent-shower-curtain.png)'],
	[
		'a folder of pixels',
		'![](https://a.example/pixel/front.jpg) ![](https://a.example/spacer/plan.png)',
	],
	['a travel picture', '![Fjord](https://www.facebook.com/travel/fjord.jpg)'],
	['an address that names a tracker', '![](https://a.example/p.png?from=https://bat.bing.com/)'],
	['a named picture of a pixel', '![A pixel of the sea](https://a.example/pixel.png?width=1)'],
	[
		'a table about tags',
		`| Tag | For |\n|---|---|\n| <template> | parts |\n| <!-- --> | notes |\n\n${rest}`,
	],
	['emoji, Persian, Hindi', 'A family 👩‍👩‍👧, ❤️, 🏳️‍🌈, 1️⃣; می‌خواهم; क्‍ष'],
	['an unclosed quote in a tag', `Write <a href="https://a.example and forget the quote. ${rest}`],
	['many tags that are not ended', `${'<div hidden>'.repeat(50)} ${rest}`],
];

/** Pages as HTML of which a reader sees everything, once the page has moved, or may look at it. */
export const honestHtml: readonly HonestText[] = [
	['a fade-in', `<div style="opacity:0;transition:opacity .5s" class="fade">${rest}</div>`],
	[
		'a fade-in by a library',
		`<section data-aos="fade-up" style="opacity: 0; transform: translateY(20px)">${rest}</section>`,
	],
	[
		'a box that grows',
		`<iframe style="width:0;min-width:100%" src="/video"></iframe><p>${rest}</p>`,
	],
	['a frame of no width', `<div style="width:0;min-width:100%">${rest}</div>`],
	['a ratio by padding', `<div style="height:0;padding-bottom:56.25%"><p>${rest}</p></div>`],
	['a box that overflows', `<div style="height:0">${rest}</div>`],
	['a collapsed part', `<div style="max-height:0;overflow:hidden" class="accordion">${rest}</div>`],
	['a negative margin', `<div style="margin-left:-100px;padding-left:100px">${rest}</div>`],
	['a margin above', `<div style="margin-top:-120px">${rest}</div>`],
	['an anchor below a bar', `<a id="x" style="position:relative;top:-200px"></a><p>${rest}</p>`],
	['a carousel', `<ul style="left:-1200px"><li>One ${rest}</li><li>Two</li></ul>`],
	[
		'an indent for a picture of words',
		`<h1 style="text-indent:-9999px">The tide</h1><p>${rest}</p>`,
	],
	['scaled for a start', `<div style="transform:scale(0)" class="zoom-in">${rest}</div>`],
	[
		'letters of the size of none, for gaps',
		`<ul style="font-size:0"><li style="font-size:16px">${rest}</li></ul>`,
	],
	[
		'a gradient in letters',
		`<h1 style="color:transparent;background-clip:text">The tide</h1><p>${rest}</p>`,
	],
	[
		'the colour of what is behind',
		`<p style="color:#fff;background:#fff url(sea.jpg)">${rest}</p>`,
	],
	['a clip', `<div style="clip-path:inset(50%)" class="reveal">${rest}</div>`],
	['a list entry that is hidden and not ended', `<ul><li hidden>One<li>Two</ul><p>${rest}</p>`],
	[
		'list entries after it that are ended',
		`<ul><li hidden>One<li>Two</li><li>Three</li></ul><p>${rest}</p>`,
	],
	['a paragraph that is hidden and not ended', `<p hidden>One<p>${rest}</p><div>Two</div>`],
	['a paragraph that a block ends', `<p hidden>One<div>${rest}</div></p><p>Two</p>`],
	['a division that is hidden and not ended', `<div hidden><p>${rest}</p>`],
	['one in another that ends', `<section><div style="display:none">One</section><p>${rest}</p>`],
	['a term that is hidden and not ended', `<dl><dt hidden>A<dd>${rest}<dt>B<dd>C</dl>`],
	['a row that is hidden and not ended', `<table><tr hidden><td>A<tr><td>${rest}</table>`],
	['an option that is hidden and not ended', `<select><option hidden>A<option>${rest}</select>`],
	['a comment that is not ended', `<p>One</p><!-- begun <p>${rest}</p>`],
	['a tag that is not ended', `<p>One</p><p hidden title="begun>${rest}</p>`],
	['hidden until it is found', `<div hidden="until-found">${rest}</div>`],
	['hidden, but shown by its style', `<div hidden style="display:block">${rest}</div>`],
	['not displayed, then displayed', `<div style="display:none;display:block">${rest}</div>`],
	[
		'seen in what is not',
		`<div style="visibility:hidden">One<p style="visibility:visible">${rest}</p></div>`,
	],
	[
		'a body that is shown by a script',
		`<html><body style="visibility:hidden"><p>${rest}</p></body></html>`,
	],
	[
		'a page that is shown by a script',
		`<html style="display:none"><body><p>${rest}</p></body></html>`,
	],
	[
		'data for machines',
		`<script type="application/ld+json">{"a":"<div hidden>b</div><!-- c -->"}</script>`,
	],
	[
		'a template that is shown',
		`<div><template shadowrootmode="open"><p>${rest}</p></template></div>`,
	],
	['what is shown without scripts', `<noscript><p>${rest}</p></noscript>`],
	[
		'source in a text field',
		`<textarea><div hidden>shown</div><!-- shown --></textarea><p>${rest}</p>`,
	],
	['escaped source', `<pre>&lt;!-- shown --&gt; &lt;div hidden&gt;shown&lt;/div&gt;</pre>`],
	[
		'a title about elements',
		`<title>What is <template hidden> for? <!-- a comment</title><p>${rest}</p>`,
	],
	['a comparison', `<p>a <b and c> d, 1 < 2</p><p>${rest}</p>`],
	[
		'an attribute named so',
		`<div data-hidden="true" aria-hidden="false" class="hidden">${rest}</div>`,
	],
	[
		'a style that only names it',
		`<div style="--menu:display none; content:'visibility:hidden'">${rest}</div>`,
	],
	[
		'a picture loaded late',
		`<img width="640" src="/small.jpg" data-src="/pixel.jpg" alt="Sea">${rest}`,
	],
	['a named picture of a pixel', `<img src="/img/pixel.png" alt="A pixel of the sea">${rest}`],
	[
		'a phone without words',
		`<img src="https://shop.example/images/pixel-8-pro.jpg" alt="">${rest}`,
	],
	['a small picture with words', `<img src="/dot.png" width="1" height="1" alt="A dot">${rest}`],
	['many that are not ended', `${'<div hidden>'.repeat(50)}<p>${rest}</p>`],
	['ends of what was not begun', `</div></p></body><p>${rest}</p></div>`],
	['details that are closed', `<details><summary>More</summary>${rest}</details>`],
	['a drawing', `<svg><path d="M0 0"/><text opacity="0">${rest}</text></svg>`],
];
