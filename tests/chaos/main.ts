/** Entry of `./bravo test --chaos N`: kills N processes of a whole platform under load and checks after each what must always hold. Ends with "N passed, N failed"; a broken invariant is a non-zero exit. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { type Platform, startPlatform } from '@bravo/testing';
import { eventually } from '../journeys/support/eventually.ts';
import { RestClient } from '../journeys/support/rest-client.ts';
import { type Broken, checkConversation, checkLog, checkSettled, INVARIANTS } from './invariants.ts';
import { type Ground, surveyGround } from './processes.ts';
import { planRounds, type Round, STEPS } from './schedule.ts';
import { persist, type Settled, Talk } from './talk.ts';

const { values } = parseArgs({ options: { kills: { type: 'string', default: '20' }, seed: { type: 'string' } } });
const kills = Number(values.kills);
const seed = values.seed === undefined ? randomInt(1, 1_000_000_000) : Number(values.seed);
if (!Number.isInteger(kills) || kills < 1) throw new Error('--chaos wants a whole number above 0.');
if (!Number.isInteger(seed) || seed < 0) throw new Error('--seed wants a whole number.');

const say = (text: string): void => void process.stdout.write(`${text}\n`);
/** Two in one tenant and one in another: each below its own limit of live pods. */
const SPEAKERS = ['alice', 'bob', 'carol'] as const;
/** A conversation is ended after so many requests, so that ending is under fire as well. */
const REQUESTS_PER_TALK = 5;

interface Report {
  readonly round: Round;
  readonly struck: string;
  readonly settled: readonly Settled[];
  readonly broken: readonly Broken[];
  readonly seconds: number;
}

const begin = async (client: RestClient): Promise<Talk> =>
  new Talk(client, await persist('a conversation', () => client.createConversation()));

const end = (talk: Talk): Promise<void> =>
  persist('the end of a conversation', async () => {
    const { status, body } = await talk.client.call('DELETE', `/bravo/conversations/${talk.conversation}`);
    if (status >= 300 && status !== 404) throw new Error(`${status} ${JSON.stringify(body)}`);
  });

const strikeAt = async (round: Round, victim: Talk, ground: Ground, done: () => boolean): Promise<string> => {
  await eventually(
    `the step "${round.step}"`,
    () => Promise.resolve(victim.reached(round.step, STEPS) || done()),
    60_000,
  );
  await new Promise((resolve) => setTimeout(resolve, round.delayMs));
  return (await ground.strike(round.target)) ?? 'nothing was there to be killed';
};

const playRound = async (
  round: Round,
  talks: Talk[],
  clients: readonly RestClient[],
  ground: Ground,
): Promise<Report> => {
  const begun = Date.now();
  for (const [index, talk] of talks.entries()) {
    if (talk.said < REQUESTS_PER_TALK) continue;
    await end(talk);
    talks[index] = await begin(talk.client);
  }
  let over = false;
  const requests = Promise.all(
    talks.map((talk, index) =>
      talk.request(round.requests[index] ?? 'list', `m${seed}r${round.number}c${index}`, () => ground.isExecuting()),
    ),
  ).finally(() => {
    over = true;
  });
  // Waited for below; a failure on the way is told there.
  requests.catch(() => undefined);
  const struck = await strikeAt(round, talks[round.victim] ?? talks[0]!, ground, () => over);
  await ground.recovered(round.target);
  const settled = await requests;
  const broken = checkSettled(settled);
  for (const talk of talks) broken.push(...(await checkConversation(talk)));
  for (const client of [clients[0]!, clients[2]!]) broken.push(...(await checkLog(client)));
  const quiet = await eventually(
    'executions to have left no trace',
    async () => (await ground.executionTraces()).length === 0,
    10_000,
  ).catch(() => false);
  if (!quiet) for (const trace of await ground.executionTraces()) broken.push({ invariant: 'no orphan', what: trace });
  return { round, struck, settled, broken, seconds: (Date.now() - begun) / 1000 };
};

const outcomes = (settled: readonly Settled[]): string =>
  settled
    .map(
      ({ kind, turns, calls }) =>
        `${kind}: ${calls.map((call) => call.approval?.status ?? call.status).join('+') || 'no call'} (${turns.join('+') || 'no turn'})`,
    )
    .join('; ');

const tell = ({ round, struck, settled, broken, seconds }: Report): void => {
  say(
    `${String(round.number).padStart(3)} ${round.target.padEnd(18)} ${`${round.step} + ${round.delayMs} ms`.padEnd(18)} ${struck}`,
  );
  say(`    ${outcomes(settled)}`);
  say(`    ${broken.length === 0 ? 'every invariant holds' : 'BROKEN'} after ${seconds.toFixed(1)} s`);
  for (const { invariant, what } of broken) say(`    ✗ ${invariant}: ${what}`);
};

const endAll = async (platform: Platform, talks: readonly Talk[]): Promise<Broken[]> => {
  await Promise.all(talks.map(end));
  // One warm pod is kept ready for whoever comes next.
  const left = await eventually(
    'the pods of ended conversations to be gone',
    async () => (await platform.podPids()).length <= 1,
    20_000,
  ).catch(() => false);
  return left
    ? []
    : [{ invariant: 'no orphan', what: `pods ${(await platform.podPids()).join(', ')} outlive every conversation` }];
};

say(`chaos: ${kills} kills, seed ${seed} ("./bravo test --chaos ${kills} --seed ${seed}" makes the same kills)`);
const platform = await startPlatform({ env: { BRAVO_LEASE_SECONDS: '3', BRAVO_CHECKPOINT_SECONDS: '1' } });
const ground = surveyGround(platform);
const reports: Report[] = [];
const last: Broken[] = [];
try {
  const clients: RestClient[] = [];
  for (const name of SPEAKERS) {
    const { token, workspace } = await platform.token(name);
    clients.push(new RestClient(platform.gatewayUrl, token, workspace));
  }
  const talks = await Promise.all(clients.map(begin));
  for (const round of planRounds(seed, kills, talks.length)) {
    const report = await playRound(round, talks, clients, ground);
    reports.push(report);
    tell(report);
  }
  last.push(...(await endAll(platform, talks)));
} catch (error) {
  last.push({ invariant: 'no lost approval', what: `the run broke down: ${(error as Error).stack ?? String(error)}` });
} finally {
  await platform.stop();
}
const gone = await eventually(
  'everything to be gone',
  () => Promise.resolve(ground.leftovers().length === 0),
  10_000,
).catch(() => false);
if (!gone) for (const what of ground.leftovers()) last.push({ invariant: 'no orphan', what: `after the end: ${what}` });
for (const { invariant, what } of last) say(`✗ at the end: ${invariant}: ${what}`);

say('');
say(`${'killed'.padEnd(20)}${'times'.padStart(6)}${'broken'.padStart(8)}`);
for (const target of [...new Set(reports.map(({ round }) => round.target))].sort()) {
  const of = reports.filter(({ round }) => round.target === target);
  say(
    `${target.padEnd(20)}${String(of.length).padStart(6)}${String(of.filter(({ broken }) => broken.length > 0).length).padStart(8)}`,
  );
}
const all = [...reports.flatMap(({ broken }) => broken), ...last];
for (const invariant of INVARIANTS)
  say(`${invariant.padEnd(30)} ${all.some((each) => each.invariant === invariant) ? 'BROKEN' : 'holds'}`);
const unknown = reports
  .flatMap(({ settled }) => settled.flatMap(({ calls }) => calls))
  .filter(({ status }) => status === 'outcome_unknown').length;
say(`effects cut off in between and shown as outcome_unknown: ${unknown}`);
const failed = reports.filter(({ broken }) => broken.length > 0).length + (last.length > 0 ? 1 : 0);
say(`${reports.length + 1 - failed} passed, ${failed} failed (seed ${seed})`);
process.exitCode = failed === 0 ? 0 : 1;
