/** What the platform adds until the person sees the first word: gateway, orchestrator, pod and stream, over the same model asked directly. */
import { type Benchmark, inTurn, quantile } from './benchmark.ts';
import { type Person, readUntil, signIn } from './person.ts';

const QUESTION = 'what can you do?';

const throughPlatform = async (person: Person, conversation: string): Promise<number> => {
  const begun = performance.now();
  const stream = await person.stream(conversation, 'POST', '/messages', { content: QUESTION });
  let first = 0;
  await readUntil(stream, (text) => {
    if (first === 0 && text.includes('event: content_delta')) first = performance.now() - begun;
    return text.includes('event: message_end') || text.includes('event: error');
  });
  if (first === 0) throw new Error('the turn ended without a word');
  return first;
};

const directly = async (url: string, token: string): Promise<number> => {
  const begun = performance.now();
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'default', stream: true, messages: [{ role: 'user', content: QUESTION }] }),
  });
  if (!response.ok) throw new Error(`the model gateway answered ${response.status}: ${await response.text()}`);
  let first = 0;
  await readUntil(response, (text) => {
    if (first === 0 && /"content":"[^"]/.test(text)) first = performance.now() - begun;
    return text.includes('[DONE]');
  });
  if (first === 0) throw new Error('the model said nothing');
  return first;
};

export const benchmark: Benchmark = {
  title: 'The first word: through the platform / the model gateway asked directly',
  run: async ({ smoke, platform }) => {
    const stage = await platform();
    const { model_url: url, token } = await stage.attach('alice');
    const person = await signIn(stage, 'alice');
    const conversation = await person.beginConversation();
    const ours = () => throughPlatform(person, conversation);
    const reference = () => directly(url, token);
    await inTurn(smoke ? 1 : 5, ours, reference);
    const taken = await inTurn(smoke ? 4 : 50, ours, reference);
    await person.endConversation(conversation);
    const row = (name: string, fraction: number) => ({
      ...{ name, unit: 'ms', compared: 'difference' as const },
      ...{ ours: quantile(taken.ours, fraction), reference: quantile(taken.reference, fraction) },
    });
    return [{ ...row('first word, p50', 0.5), goal: 15 }, row('first word, p95', 0.95)];
  },
};
