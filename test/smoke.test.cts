import { AGENT, setStage, urlExtract, type Stage } from './support/agent.cts';

let stage: Stage;
beforeAll(async () => {
	stage = await setStage();
});
afterAll(() => stage.close());

it('waits for a URL extraction', async () => {
	const outcome = await stage.run(urlExtract(stage.simulator));
	expect(outcome.error).toBeUndefined();
	expect(outcome.items(AGENT)[0].json).toMatchObject({ done: true, data: { price: '€ 329.00' } });
});
