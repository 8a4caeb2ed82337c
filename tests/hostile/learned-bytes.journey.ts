/** What a pod can learn: nothing of what is quarantined, in whatever spelling; and no secret of the platform is anywhere but where it is kept. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usePlatform } from '../journeys/support/platform.ts';
import type { EventLog } from '../journeys/support/rest-client.ts';
import { callWithYes, denyAll } from './support/person-side.ts';
import { ENDINGS, plantedProgram } from './support/planted-program.ts';
import { startScriptedModel, type ScriptedModel } from './support/scripted-model.ts';
import { findIn, findInMemory, needlesOf } from './support/search-bytes.ts';
import { keptSecrets, placesOf } from './support/secret-places.ts';
import { sitDown } from './support/sit-down.ts';

/** Of no known shape, so that nothing but care can hide it. */
const KEY = `kanarie.${randomBytes(18).toString('hex')}`;
const model = {} as ScriptedModel;
const env: Record<string, string> = { BRAVO_MODEL_PROVIDER: 'openai-compatible', BRAVO_MODEL_NAME: 'scripted', BRAVO_MODEL_API_KEY: KEY };
beforeAll(async () => {
  Object.assign(model, await startScriptedModel());
  env['BRAVO_MODEL_BASE_URL'] = model.baseUrl;
});
const stage = usePlatform(env);
afterAll(() => model.close());

/** Letters and digits only, so that no spelling of it is broken by another. */
const newWord = (): string => `Kanarie${randomBytes(9).toString('hex')}`;
const sessions: { conversation: string; events: EventLog['events'] }[] = [];

/** Says it to a real pod and answers each question as told. */
const converse = async (conversation: string, words: string, yes: boolean): Promise<EventLog> => {
  const log = await stage.alice.say(conversation, words);
  sessions.push({ conversation, events: log.events });
  const first = await log.until(({ event }) => ['needs_approval', 'message_end', 'error'].includes(event));
  if (first.event === 'needs_approval') await stage.alice.answer(conversation, String(first.data['id']), yes ? 'approve' : 'deny');
  await log.terminal();
  return log;
};
const calling = (tool: string, args: unknown): string => `call ${tool} ${JSON.stringify(args)}`;

describe('the search', () => {
  it('finds a word in each spelling, and nothing where there is nothing', () => {
    const word = newWord();
    const needles = needlesOf(word);
    const raw = Buffer.from(word);
    const spellings = [word, raw.toString('hex'), raw.toString('hex').toUpperCase(), [...raw].map((byte) => `%${byte.toString(16)}`).join(''), Buffer.from(word, 'utf16le'), ...[0, 1, 2, 3, 4].map((before) => Buffer.concat([randomBytes(before), raw, randomBytes(5)]).toString('base64'))];
    for (const spelling of spellings) expect(findIn(Buffer.concat([randomBytes(50), Buffer.from(spelling), randomBytes(50)]), needles)).toHaveLength(1);
    expect(findIn(randomBytes(100_000), needles)).toEqual([]);
    expect(findIn(word.slice(0, -1), needles)).toEqual([]);
  });
});

describe('a pod', () => {
  it('that keeps every byte it is sent never hears a quarantined word, of output, file, name or error [secrets.quarantined]', async () => {
    const { alice, platform } = stage;
    const seat = await sitDown(platform, 'alice');
    const word = newWord();
    const outs: string[] = [];
    for (const [, ending, limits] of ENDINGS) outs.push((await callWithYes(alice, seat, 'execute_script', { language: 'python', code: plantedProgram(word, ending), ...limits })).out);
    expect(outs.filter((out) => !/ref:\d+/.test(out))).toEqual([]);
    const ref = /ref:\d+/.exec(outs[0] ?? '')?.[0];
    await callWithYes(alice, seat, 'write_file', { path: 'kept.txt', contents_ref: ref });
    expect((await seat.call('read_file', { path: 'kept.txt' })).out).toMatch(/ref:\d+/);
    await seat.call('read_file', { path: 'kept.txt', offset: 2, limit: 1 });
    await seat.call('read_file', { path: 'kept.txt/x' });
    await seat.call('list_files', {});
    await callWithYes(alice, seat, 'execute_script', { language: 'bash', code: 'base64 kept.txt; cat kept.txt >&2; ls "$(cat kept.txt | tail -n1)"', files: ['kept.txt'] });
    await callWithYes(alice, seat, 'execute_script', { language: 'node', code: "throw new Error(require('fs').readFileSync('kept.txt', 'utf8'))", files: ['kept.txt'] });
    await seat.rpc('tools/list', {});
    const person = await alice.get(`/bravo/conversations/${seat.conversation}/slots/1`);
    expect(JSON.stringify(person)).toContain(word);
    const heard = seat.heard.map((text) => ({ text, spellings: findIn(text, needlesOf(word)) })).filter(({ spellings }) => spellings.length > 0);
    expect(heard).toEqual([]);
    expect(seat.heard.length).toBeGreaterThan(12);
    // Let through by the person, the same words are heard, and this search finds them.
    const released = await callWithYes(alice, seat, 'execute_script', { language: 'python', code: plantedProgram(word, '') }, { trust_output: true });
    expect(findIn(released.text, needlesOf(word))).toEqual(expect.arrayContaining(['as it is', 'reversed', 'hex', 'HEX', 'percent', 'base64 at 0', 'base64 at 1', 'base64 at 2']));
  });

  it('of the platform receives no such word by any way, has none in its memory, and its planner was told none [secrets.quarantined]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    const [word, control] = [newWord(), newWord()];
    await converse(conversation, calling('execute_script', { language: 'python', code: plantedProgram(word, 'raise RuntimeError(word)') }), true);
    await converse(conversation, calling('write_file', { path: 'kept.txt', contents_ref: 'ref:1' }), true);
    await converse(conversation, calling('read_file', { path: 'kept.txt' }), true);
    await converse(conversation, calling('list_files', {}), true);
    const denied = await converse(conversation, calling('write_file', { path: 'no.txt', contents: control }), false);
    expect(denied.text()).toMatch(/denied/);
    expect(findIn(model.asked.join('\n'), needlesOf(word))).toEqual([]);
    expect(findIn(model.asked.join('\n'), needlesOf(control))).toContain('as it is');
    // The recording pod heard the control word by each of its three ways: the person's message, the model's call, the tools' answer.
    const recordings = await stage.pods.recordings();
    const heard = (needle: string, around: RegExp): boolean => recordings.some((bytes) => bytes.includes(needle) && around.test(bytes.toString('latin1')));
    expect({ message: heard(control, /"type":"message"/), model: heard(control, /tool_calls/), tools: heard('The person denied this call', /jsonrpc/) }).toEqual({ message: true, model: true, tools: true });
    expect(recordings.flatMap((bytes) => findIn(bytes, needlesOf(word)))).toEqual([]);
    if (process.getuid?.() !== 0) return;
    const pids = await platform.podPids();
    expect(pids.flatMap((pid) => findInMemory(pid, needlesOf(control)))).toContain('as it is');
    expect(pids.flatMap((pid) => findInMemory(pid, needlesOf(word)))).toEqual([]);
  });
});

describe('a secret of the platform', () => {
  it('is in no log, trace, event, answer, page, metric and environment of a pod, also when a careless model server says it [secrets.nowhere]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    for (const failure of ['fail 400', 'fail 401', 'fail 422', 'fail stream']) {
      const log = await converse(conversation, failure, true);
      expect(log.events.some(({ event }) => event === 'error')).toBe(true);
    }
    const seat = await sitDown(platform, 'alice');
    void seat.call('write_file', { path: 'asked.txt', contents: 'x' }).catch(() => undefined);
    await seat.complete({ messages: [{ role: 'user', content: 'fail 400' }] });
    await seat.complete({ messages: [{ role: 'user', content: 'fail stream' }], stream: true });
    const signedIn = await fetch(`${platform.gatewayUrl}/api/v1/sign-in`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"alice"}' });
    const session = /bravo_session=([^;]+)/.exec(signedIn.headers.get('set-cookie') ?? '')?.[1] ?? '';
    expect(session.length).toBeGreaterThan(20);
    const secrets = [...keptSecrets(platform.home), { name: 'the model key', value: KEY }, { name: "alice's API token", value: alice.token }, { name: "an agent's token", value: seat.token }, { name: 'a session', value: session }];
    expect(secrets.length).toBeGreaterThan(25);
    const places = await placesOf(platform, alice, [...new Set([conversation, seat.conversation, ...sessions.map((each) => each.conversation)])], { token: alice.token, session });
    places.push({ name: 'what the pod in our seat heard', text: seat.heard.join('\n') }, { name: 'what the model server was asked', text: model.asked.join('\n') }, { name: 'the streams of the person', text: JSON.stringify(sessions) });
    places.push({ name: 'what every pod received', text: Buffer.concat(await stage.pods.recordings()).toString('latin1') });
    await denyAll(alice, seat.conversation);
    const found = secrets.flatMap(({ name, value }) => places.flatMap((place) => findIn(place.text, needlesOf(value)).map((spelling) => `${name} in ${place.name}, ${spelling}`)));
    expect(found).toEqual([]);
    for (const kind of ['log ', 'trace ', 'trail', 'bus ', 'page ', 'metrics ', 'environment ', 'problem ', 'turn stream ']) expect(places.some(({ name, text }) => name.startsWith(kind) && text.length > 0)).toBe(true);
    expect(readdirSync(path.join(platform.home, 'logs')).length).toBeGreaterThan(7);
    expect(readFileSync(path.join(platform.home, 'logs', 'model-gateway.log'), 'utf8')).toContain('model');
  });
});
