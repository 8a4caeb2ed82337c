/** A job that an agent started in its own workspace swaps files for links while every file tool is called on them: nothing outside is read or written, and nothing it put anywhere is vouched for. */
import { afterAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eventually } from '../journeys/support/eventually.ts';
import { usePlatform } from '../journeys/support/platform.ts';
import type { RestClient } from '../journeys/support/rest-client.ts';
import { keepAttempts } from './support/attempts.ts';
import { callWithYes, questionsOf } from './support/person-side.ts';
import { describeReply, type PodSeat, type ToolReply } from './support/pod-seat.ts';
import { sitDown } from './support/sit-down.ts';
import { PLANTED, swappingProgram } from './support/swapping-program.ts';

const stage = usePlatform({}, { recordPods: false });
const attempts = keepAttempts('swapped-links.json');
const ROUNDS = 6;
const KEPT = 'words of the agent that nobody touches';

/** Anybody on the machine may read and write it: only containment is between it and the job. */
const outside = mkdtempSync(path.join(tmpdir(), 'bravo-outside-'));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

/** What the person is shown behind a reference. */
const slotText = async (person: RestClient, conversation: string, number: string): Promise<string> => {
  const { status, body } = await person.call('GET', `/bravo/conversations/${conversation}/slots/${number}`);
  expect(status).toBe(200);
  return Buffer.from((body as { content_base64: string }).content_base64, 'base64').toString('utf8');
};

/** Calls, and says yes to whatever is asked about meanwhile. */
const callSayingYes = async (seat: PodSeat, tool: string, args: object): Promise<ToolReply> => {
  let open = true;
  const reply = seat.call(tool, args).finally(() => {
    open = false;
  });
  while (open) {
    for (const { tool_call_id } of await questionsOf(stage.alice, seat.conversation))
      await stage.alice.answer(seat.conversation, tool_call_id, 'approve');
    await Promise.race([reply, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
  return reply;
};

describe('links that are swapped between check and use', () => {
  it('lead nowhere, and nothing read or written through them is vouched for [workspace.confined] [workspace.landing] [run.no-trust-meanwhile]', async () => {
    const { alice, platform } = stage;
    const secret = `Secret${randomBytes(9).toString('hex')}`;
    writeFileSync(path.join(outside, 'secret.txt'), `${secret}\n`);
    chmodSync(outside, 0o777);
    chmodSync(path.join(outside, 'secret.txt'), 0o666);
    const [victim, seat] = [await sitDown(platform, 'alice'), await sitDown(platform, 'alice')];
    await callWithYes(alice, victim, 'write_file', { path: 'secret.txt', contents: `${secret}\n` });
    for (const [name, contents] of [
      ['kept.txt', KEPT],
      ['a.txt', 'first words of the agent'],
      [
        'swap.py',
        swappingProgram([outside, '/etc', '..', path.join(platform.home, 'workspaces', victim.conversation)]),
      ],
    ] as const)
      expect((await callWithYes(alice, seat, 'write_file', { path: name, contents })).refused).toBe(false);
    expect((await callWithYes(alice, seat, 'run', { command: 'python3 -u swap.py', background: true })).out).toContain(
      'job:1',
    );
    await eventually('the job to swap', async () =>
      /New: \d+ bytes/.test((await seat.call('job_output', { job: 'job:1', wait_seconds: 2 })).out),
    );

    const heardNothing = async (what: string, reply: ToolReply): Promise<void> =>
      attempts.try(what, 'no secret, nothing vouched for', () =>
        Promise.resolve({
          got: describeReply(reply),
          held: ![secret, PLANTED, KEPT, 'root:x:0'].some((words) => reply.text.includes(words)) && reply.status < 500,
        }),
      );
    for (let round = 1; round <= ROUNDS; round += 1) {
      for (const name of ['a.txt', 'd/secret.txt', 'd/passwd', 'kept.txt'])
        await heardNothing(`read ${name}, round ${round}`, await seat.call('read_file', { path: name }));
      await heardNothing(`search, round ${round}`, await seat.call('search', { pattern: 'Secret|planted|root' }));
      await heardNothing(`list what is below d, round ${round}`, await seat.call('list_files', { directory: 'd' }));
      await heardNothing(`run over a.txt, round ${round}`, await callSayingYes(seat, 'run', { command: 'head a.txt' }));
      if (round > 2) continue;
      await heardNothing(
        `write a.txt, round ${round}`,
        await callSayingYes(seat, 'write_file', { path: 'a.txt', contents: `written in round ${round}` }),
      );
      await heardNothing(
        `write into d, round ${round}`,
        await callSayingYes(seat, 'write_file', { path: 'd/loot.txt', contents: `written in round ${round}` }),
      );
      await heardNothing(
        `edit a.txt, round ${round}`,
        await callSayingYes(seat, 'edit_file', { path: 'a.txt', old_text: PLANTED, new_text: 'edited' }),
      );
    }
    expect((await seat.call('job_output', { job: 'job:1', kill: true })).out).toContain('job:1 has ended.');

    await attempts.try('have changed anything outside', 'one file with its own words', () => {
      const files = readdirSync(outside);
      return Promise.resolve({
        got: files.join(' '),
        held: files.join() === 'secret.txt' && readFileSync(path.join(outside, 'secret.txt'), 'utf8') === `${secret}\n`,
      });
    });
    await attempts.try("have changed the neighbour's files", 'its one file with its own words', async () => {
      const [files, read] = [
        await victim.call('list_files', {}),
        await victim.call('read_file', { path: 'secret.txt' }),
      ];
      return { got: describeReply(files), held: read.out.includes(secret) && !files.out.includes('loot') };
    });
    await attempts.try('have what the job put into a file as text', 'a reference, or no file', async () => {
      const read = await seat.call('read_file', { path: 'a.txt' });
      return { got: describeReply(read), held: !read.out.includes(PLANTED) && !read.out.includes(secret) };
    });
    await attempts.try('have a secret behind any reference', 'in none of them', async () => {
      const numbers = [...new Set([...seat.heard.join('\n').matchAll(/ref:(\d+) - /g)].map((match) => match[1]))];
      const texts = await Promise.all(numbers.map((number) => slotText(alice, seat.conversation, number ?? '')));
      return {
        got: `${numbers.length} references`,
        held: numbers.length > 0 && texts.every((text) => !text.includes(secret) && !text.includes('root:x:0')),
      };
    });
    await attempts.try(
      'lose what nobody touched',
      'its words: as text, or by reference where a swap hid what the job changed',
      async () => {
        const read = await seat.call('read_file', { path: 'kept.txt' });
        const number = /ref:(\d+) - /.exec(read.out)?.[1];
        const seen = number === undefined ? read.out : await slotText(alice, seat.conversation, number);
        return { got: describeReply(read), held: seen.includes(KEPT) };
      },
    );
    expect(attempts.wrong()).toEqual([]);
  });
});
