import fc from 'fast-check';
import {
	isObject,
	messageOf,
	readRecord,
	readStartAnswer,
} from '../../nodes/DataExtractionAgent/engine/record.ts';

const id = '3f2b8c1e-5d47-4a90-9b36-8e1f0c2d7a64';

/** Any JSON, and often something that resembles an answer. */
const body = fc.oneof(
	fc.jsonValue(),
	fc.record(
		{
			message: fc.jsonValue(),
			success: fc.oneof(fc.boolean(), fc.jsonValue()),
			result: fc.oneof(
				fc.record(
					{
						id: fc.oneof(fc.constant(id), fc.string(), fc.jsonValue()),
						done: fc.oneof(fc.boolean(), fc.jsonValue()),
						json: fc.jsonValue(),
						credits: fc.jsonValue(),
						details: fc.jsonValue(),
					},
					{ requiredKeys: [] },
				),
				fc.jsonValue(),
			),
		},
		{ requiredKeys: [] },
	),
);

describe('isObject', () => {
	it('knows objects from everything else', () => {
		expect([{}, { a: 1 }].map(isObject)).toEqual([true, true]);
		expect([null, undefined, [], [{}], 'text', 0, true].some(isObject)).toBe(false);
	});
});

describe('readStartAnswer', () => {
	it('reads the answer of the document', () => {
		expect(
			readStartAnswer({ message: 'The work has started', result: { id }, success: true }),
		).toStrictEqual({ id, message: 'The work has started', success: true });
		expect(readStartAnswer({ result: { id: ` ${id}\n` } })).toStrictEqual({ id });
	});

	it.each<[unknown, RegExp]>([
		[undefined, /not JSON/],
		['<html>', /not JSON/],
		[[{ result: { id } }], /not JSON/],
		[{}, /no ID/],
		[{ success: true, result: {} }, /no ID/],
		[{ success: true, result: { id: '' } }, /no ID/],
		[{ success: true, result: { id: ' ' } }, /no ID/],
		[{ success: true, result: { id: 7 } }, /no ID/],
		[{ success: true, result: [id] }, /no ID/],
		[{ success: false, result: { id } }, /did not accept the job and did not say why/],
		[{ success: false, message: 'No credits left' }, /did not accept the job: No credits left/],
	])('says what is wrong with %j', (answer, words) => {
		expect(readStartAnswer(answer)).toMatch(words);
	});

	it('never takes a refusal or an answer without an ID for a start', () => {
		fc.assert(
			fc.property(body, (answer) => {
				const started = readStartAnswer(answer);
				if (typeof started === 'string') return;
				expect(started.id).toBe(started.id.trim());
				expect(started.id).not.toBe('');
				expect(started.success).not.toBe(false);
			}),
		);
	});
});

describe('readRecord', () => {
	it('reads the envelope of the document', () => {
		const envelope = {
			message: 'Finished',
			success: true,
			result: {
				changed: true,
				credits: { remaining: 7, used: 2 },
				details: { descr: 'Read the page' },
				json: { price: 3 },
				screenshots: ['https://example.com/0.png'],
				when: 1_700_000_000,
				done: true,
				id,
			},
		};
		expect(readRecord(envelope)).toEqual({
			envelope,
			success: true,
			message: 'Finished',
			done: true,
			changed: true,
			when: 1_700_000_000,
			credits: { remaining: 7, used: 2 },
			details: 'Read the page',
			screenshots: ['https://example.com/0.png'],
			json: { price: 3 },
		});
	});

	it('leaves undefined what the service left out, and takes null data for none', () => {
		const record = readRecord({ result: { done: true, json: null } });
		expect(Object.entries(record ?? {}).filter(([, value]) => value !== undefined)).toEqual([
			['envelope', { result: { done: true, json: null } }],
			['done', true],
		]);
	});

	it('finds a record exactly where result.done is a boolean', () => {
		fc.assert(
			fc.property(body, (answer) => {
				const { result } = (isObject(answer) ? answer : {}) as { result?: unknown };
				const done = isObject(result) ? result.done : undefined;
				expect(readRecord(answer)?.done).toBe(typeof done === 'boolean' ? done : undefined);
			}),
		);
	});
});

describe('messageOf', () => {
	it('is one line of at most 500 characters, or nothing', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary', maxLength: 1200 }), (message) => {
				const text = messageOf({ message });
				if (message.trim() === '') {
					expect(text).toBeUndefined();
					return;
				}
				expect(text).toMatch(/^\S(.*\S)?$/);
				expect(text?.length).toBeLessThanOrEqual(500);
			}),
		);
		expect(messageOf({ message: 'x'.repeat(900) })).toMatch(/^x{400,}…$/);
		expect(messageOf({ message: ' No\r\n credits\tleft ' })).toBe('No credits left');
	});

	it('takes nothing but a text', () => {
		fc.assert(
			fc.property(body, (answer) => {
				fc.pre(!isObject(answer) || typeof answer.message !== 'string');
				expect(messageOf(answer)).toBeUndefined();
			}),
		);
	});
});
