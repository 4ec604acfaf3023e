/** A fact as an author would write it, a question whose answer it is, and the words that an answer must have. */
export interface PlantedFact {
	text: string;
	question: string;
	answer: string;
}

const fact = (text: string, question: string, answer: string): PlantedFact => ({
	text,
	question,
	answer,
});

const tableOf = (head: string[], ...rows: string[][]): string =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const listOf = (...entries: string[]): string => entries.map((entry) => `- ${entry}`).join('\n');

/** Facts that stand nowhere else, in paragraphs, lists, tables, code and below headings, and questions in other words. */
export const plantedFacts: PlantedFact[] = [
	fact(
		'Mette Krogh kept the lighthouse of Sandholm for thirty-one years and retired on 3 March 2021.',
		'When did the Sandholm lighthouse keeper Mette Krogh retire?',
		'3 March 2021',
	),
	fact(
		'The first prototype of the Albatross glider weighed 418 grams without its battery.',
		'How heavy was the Albatross glider prototype?',
		'418 grams',
	),
	fact(
		tableOf(
			['Berth', 'Summer', 'Winter'],
			['Kestrel pontoon', '34 crowns', '19 crowns'],
			['Osprey pontoon', '41 crowns', '22 crowns'],
		),
		'What does a berth at the Osprey pontoon cost in winter?',
		'22 crowns',
	),
	fact(
		listOf(
			'The canteen closes at eight.',
			'Visitors to the Quillfeather archive leave their bags in locker row nine.',
			'Dogs stay outside.',
		),
		'Where do visitors of the Quillfeather archive leave bags?',
		'locker row nine',
	),
	fact(
		'## Opening hours of the Brackwater museum\n\nTuesday to Sunday, ten to half past four.',
		'Brackwater museum opening hours',
		'half past four',
	),
	fact(
		'Die Brücke von Eulenried wurde 1894 für siebzehntausend Taler gebaut.',
		'Wann wurde die Brücke von Eulenried gebaut?',
		'1894',
	),
	fact(
		'```\nFLAMINGO_RETRY_WINDOW=4200\nFLAMINGO_MODE=strict\n```',
		'default of FLAMINGO_RETRY_WINDOW',
		'4200',
	),
	fact(
		'Le refuge du col de Vernoux accueille quarante-deux personnes en été.',
		'Combien de personnes accueille le refuge de Vernoux ?',
		'quarante-deux',
	),
	fact(
		'Nobody may enter the Harrowgate tunnel before its air has been measured twice.',
		'How often is the air of the Harrowgate tunnel measured before entering?',
		'measured twice',
	),
	fact(
		'The choir of Pellworm sang the Tallis canon in the empty grain silo in 2019.',
		'Where did the Pellworm choir sing the canon by Tallis?',
		'empty grain silo',
	),
	fact(
		'Orders to the Zinnober press are bound in linen unless the buyer asks for buckram.',
		'In what are Zinnober press orders bound?',
		'linen',
	),
	fact(
		'Version 7.4 of the Marlowe compiler dropped the flag --eager-inline.',
		'Which flag was dropped in Marlowe compiler 7.4?',
		'--eager-inline',
	),
	fact(
		'The Tolmin marsh holds eleven pairs of bitterns, three more than a decade ago.',
		'How many bitterns live in the Tolmin marsh?',
		'eleven pairs',
	),
	fact(
		listOf(
			'Alder ferry: every twenty minutes',
			'Thornwick ferry: on the hour, the last one at 23:00',
		),
		'When does the last Thornwick ferry leave?',
		'23:00',
	),
	fact(
		tableOf(
			['Glaze', 'Cone', 'Hold'],
			['Celadon mist', '9', '12 minutes'],
			['Iron plum', '10', '25 minutes'],
		),
		'How long is the iron plum glaze held?',
		'25 minutes',
	),
	fact(
		'Captain Ysolde Marr lost the regatta of 1987 because a herring barrel rolled onto the tiller.',
		'Why did Ysolde Marr lose the 1987 regatta?',
		'herring barrel',
	),
	fact(
		'El puente de Arroyofrío tiene seis arcos de piedra rosada.',
		'¿Cuántos arcos tiene el puente de Arroyofrío?',
		'seis arcos',
	),
	fact(
		'## Storage of Corvane resin\n\nKeep it below twelve degrees and away from copper.',
		'At which temperature is Corvane resin stored?',
		'below twelve degrees',
	),
	fact(
		'The Wexcombe observatory names each of its comets after a pastry.',
		'After what does the Wexcombe observatory name comets?',
		'pastry',
	),
	fact(
		'A licence for the Nightjar typeface covers five desks and one press.',
		'How many desks does the Nightjar typeface licence cover?',
		'five desks',
	),
	fact(
		'The keepers of Rookhope feed the otters at dawn, and never on Thursdays.',
		'On which day are the Rookhope otters not fed?',
		'Thursdays',
	),
	fact(
		'Bronwen Astley invented the folding sextant in a prison library.',
		'Where was the folding sextant invented by Bronwen Astley?',
		'prison library',
	),
	fact(
		tableOf(
			['Route', 'Height', 'Grade'],
			['Gannet chimney', '48 m', 'severe'],
			['Puffin slab', '31 m', 'easy'],
		),
		'How high is the Gannet chimney route?',
		'48 m',
	),
	fact(
		'The dyers of Kellmark get their violet from whelks and their green from nettles.',
		'What do the Kellmark dyers use for violet?',
		'whelks',
	),
	fact(
		'```\nparakeet sync --depth 3 --no-mirror\n```',
		'parakeet sync without mirror',
		'--no-mirror',
	),
	fact(
		'No more than 640 kilograms may be hoisted by the crane on Juniper wharf.',
		'How much can the Juniper wharf crane hoist?',
		'640 kilograms',
	),
	fact(
		'The Fennimore prize went to a treatise on moss in its second year.',
		'Which work won the Fennimore prize in the second year?',
		'treatise on moss',
	),
	fact(
		'In Ostrava-Lhotka the tram turns around a linden tree planted by Vilém Doubrava.',
		'Who planted the linden tree around which the tram in Lhotka turns?',
		'Vilém Doubrava',
	),
	fact(
		'## Guarantees of the Bluefinch inverter\n\nTwelve years, or twenty thousand hours.',
		'How long is the guarantee of the Bluefinch inverter?',
		'Twelve years',
	),
	fact(
		'The ice of Lake Vännern carried the sledges of Torvald Eke as late as 9 May.',
		'Until when did the ice of Lake Vännern carry sledges?',
		'9 May',
	),
	fact(
		listOf('Bring a lamp.', 'The password of the Mirador guesthouse network is told at supper.'),
		'When is the network password of the Mirador guesthouse told?',
		'at supper',
	),
	fact(
		'Saltpetre from the Duskwell mine was shipped in cedar casks.',
		'How was the saltpetre of the Duskwell mine shipped?',
		'cedar casks',
	),
	fact(
		'The Quarrel Street bakery proves its rye for nineteen hours.',
		'How long does the Quarrel Street bakery prove rye dough?',
		'nineteen hours',
	),
	fact(
		'Ada Pemberley mapped the reef with a borrowed echo sounder and two schoolboys.',
		'With what did Ada Pemberley map the reef?',
		'echo sounder',
	),
	fact(
		tableOf(
			['Symptom', 'Cause'],
			['Heron pump hums', 'worn impeller'],
			['Heron pump leaks', 'seal'],
		),
		'Why does a Heron pump hum?',
		'worn impeller',
	),
	fact(
		'Im Stollen von Grauwacke darf seit 2008 niemand mehr ohne Helm arbeiten.',
		'Seit wann gilt im Stollen Grauwacke die Pflicht zum Helm?',
		'2008',
	),
	fact(
		'The winter timetable of the Skarn railway begins on the second Sunday of December.',
		'When does the Skarn railway winter timetable begin?',
		'second Sunday of December',
	),
	fact(
		'Lanternfish Bay was closed to trawlers after the survey of Dr Imogen Vale.',
		'Whose survey closed Lanternfish Bay to trawlers?',
		'Imogen Vale',
	),
	fact(
		'The Ombersley clock loses four seconds a week when the tower door is left open.',
		'How much does the Ombersley clock lose with an open tower door?',
		'four seconds a week',
	),
	fact(
		'A Thistledown subscription can be paused twice a year, each time for six weeks.',
		'How often can a Thistledown subscription be paused?',
		'twice a year',
	),
];
