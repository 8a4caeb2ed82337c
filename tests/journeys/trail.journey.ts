/** The trail as compliance people use it: they filter it, export it, keep checkpoints elsewhere, and prove with a program that knows nothing of the server. */
import { execFile, spawn } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { homeAt } from '@bravo/tools/stack/home';
import { readPlan } from '@bravo/tools/stack/plan';
import pg from 'pg';
import { eventually } from './support/eventually.ts';
import { askForProgram, usePlatform } from './support/platform.ts';

const run = promisify(execFile);

const stage = usePlatform({
  BRAVO_CHECKPOINT_SECONDS: '0.5',
  BRAVO_TRAIL_RETENTION_LEAST: '1s',
  BRAVO_TRAIL_PRUNE_SECONDS: '0.5',
});

const program = path.join(import.meta.dirname, '..', '..', 'apps', 'bravo-verify', 'dist', 'main.js');

describe('the trail', () => {
  it('is filtered, and who looked into it is in it [trail.reads-recorded]', async () => {
    const { alice, bob } = stage;
    const conversation = await bob.createConversation();
    await (await bob.say(conversation, 'what can you do?')).terminal();
    const found = await eventually('what was done for bob', async () => {
      const { entries } = await alice.get(`/audit?conversation=${conversation}&type=agent.turn.finished`);
      return entries.length === 1 && entries;
    });
    expect(found[0]).toMatchObject({ type: 'agent.turn.finished', conversation_id: conversation });
    const read = await eventually('the look on record', async () => {
      const { entries } = await alice.get('/audit?type=agent.trail.read');
      return entries.find((entry: { data: { filter: string } }) => entry.data.filter.includes(conversation));
    });
    expect(read.actor).toMatch(/^user:usr_/);
    expect((await bob.call('GET', '/audit')).status).toBe(403);
    expect((await bob.call('GET', '/audit/export')).status).toBe(403);
    expect((await bob.call('GET', '/audit/alerts')).status).toBe(403);
  });

  it('verifies with progress, deeply too, and tells its checkpoint with proofs', async () => {
    const { alice } = stage;
    const reply = await alice.stream('GET', '/audit/verify?deep=true');
    const result = await reply.until('result');
    expect(result.data).toMatchObject({ ok: true, problem: '', gaps: [] });
    expect(reply.count('progress')).toBeGreaterThan(0);
    const proven = await alice.get('/audit/checkpoint?older=1&index=0');
    expect(proven.checkpoint).toMatch(/^bravo\/ws_\w+\n\d+\n/);
    expect(proven.inclusion[0].hashes.length).toBeGreaterThan(0);
    expect(proven.consistency[0].hashes.length).toBeGreaterThan(0);
    expect((await alice.call('GET', '/audit/checkpoint?older=999999')).status).toBe(400);
    expect(await alice.get('/audit/alerts')).toEqual({ alerts: [] });
  });

  it('keeps what a tool was given and gave sealed, opens it on record, and erases a person without breaking the proof [trail.sealed]', async () => {
    const { alice, bob } = stage;
    const secret = 'print("the word is rhubarb")';
    const conversation = await bob.createConversation();
    const { toolCall, log } = await askForProgram(bob, conversation, secret);
    expect((await bob.answer(conversation, toolCall, 'approve')).status).toBe(200);
    await log.terminal();
    const calls = await eventually('the call in the trail', async () => {
      const { entries } = await alice.get(`/audit?tool_call=${toolCall}&type=agent.tool.executed`);
      return entries.length === 1 && entries;
    });
    const text = String((await alice.call('GET', `/audit/export?conversation=${conversation}`)).body);
    expect(text).not.toContain('rhubarb');
    expect(JSON.stringify(calls)).not.toContain('jwe');
    const opened = await alice.get(`/audit/tool-calls/${toolCall}/content`);
    expect(opened.input.arguments.code).toContain('rhubarb');
    expect(Buffer.from(opened.output.slots[0].content, 'base64').toString()).toContain('rhubarb');
    expect((await bob.call('GET', `/audit/tool-calls/${toolCall}/content`)).status).toBe(403);

    const person = calls[0].on_behalf_of as string;
    const opener = await eventually('the look on record', async () => {
      const { seers } = await alice.get(`/audit/questions?question=slot&conversation=${conversation}&slot=1`);
      return seers.find((seer: { how: string }) => seer.how === 'opened');
    });
    expect(opener.who).toMatch(/^user:usr_/);
    expect(opener.who).not.toBe(`user:${person}`);
    const { entries: caused } = await bob.get(`/audit/questions?question=approvals&person=${person}`);
    expect(caused.map((entry: { type: string }) => entry.type)).toEqual(
      expect.arrayContaining(['agent.tool.approved', 'agent.tool.executed', 'agent.code.executed']),
    );
    const { entries: story } = await bob.get(`/audit/questions?question=story&conversation=${conversation}`);
    expect(story[0].type).toBe('agent.conversation.created');
    expect((await bob.call('GET', `/audit/questions?question=approvals&person=${opener.who.slice(5)}`)).status).toBe(
      403,
    );

    expect((await bob.call('POST', `/audit/people/${person}/erase`, { reason: 'no' })).status).toBe(403);
    expect((await alice.send('POST', `/audit/people/${person}/erase`, { reason: 'asked by the person' })).keys).toBe(1);
    expect(await alice.get(`/audit/tool-calls/${toolCall}/content`)).toEqual({
      input: null,
      output: null,
      erased: true,
    });
    await eventually('the looks and the erasure on record', async () => {
      const { entries } = await alice.get('/audit?limit=200');
      const types = entries.map((entry: { type: string }) => entry.type);
      return (
        types.includes('agent.person.erased') &&
        types.filter((type: string) => type === 'agent.trail.content_opened').length === 2
      );
    });
    expect(await alice.get('/audit/verify?deep=true')).toMatchObject({ ok: true });
  });

  it('keeps as long as an admin says, unless it is held; what remains proves itself from a signed stub [trail.retention] [trail.hold] [trail.pruned]', async () => {
    const { carol, bob, platform } = stage;
    const conversation = await carol.createConversation();
    await (await carol.say(conversation, 'what can you do?')).terminal();
    expect(await carol.get('/audit/retention')).toMatchObject({
      rows: 'forever',
      own: false,
      least: '1s',
      first: 0,
      holds: [],
    });
    for (const rows of ['0d', '', 'nothing'])
      expect((await carol.call('PUT', '/audit/retention', { rows, content: 'forever' })).status).toBe(400);
    expect((await bob.call('PUT', '/audit/retention', { rows: '1s', content: 'forever' })).status).toBe(403);

    const hold = await carol.send('POST', '/audit/holds', { reason: 'a case' });
    expect(hold['protects_from']).toBe(0);
    await carol.send('PUT', '/audit/retention', { rows: '1s', content: 'forever' });
    await eventually('everything signed, and old', async () => {
      const { entries } = await carol.get('/audit?type=agent.retention.changed');
      return entries.length === 1 && Date.now() - Date.parse(entries[0].recorded_at) > 3_000;
    });
    expect(await carol.get('/audit/verify')).toMatchObject({ ok: true, first: 0 });
    await carol.send('POST', `/audit/holds/${hold['id']}/lift`, { reason: 'the case is closed' });
    const verified = await eventually('what is over its time to be gone', async () => {
      const answer = await carol.get('/audit/verify?deep=true');
      return answer.first > 0 && answer;
    });
    expect(verified).toMatchObject({ ok: true, problem: '', gaps: [] });
    await carol.send('PUT', '/audit/retention', { rows: 'forever', content: 'forever' });

    const { first } = await eventually('pruning to have ended', async () => {
      const { entries } = await carol.get('/audit?type=agent.retention.changed');
      return entries[0]?.data.rows === 'forever' && carol.get('/audit/verify');
    });
    const file = path.join(platform.home, 'pruned.jsonl');
    const exported = await eventually('an export', async () => {
      const answer = await carol.call('GET', '/audit/export');
      return answer.status === 200 && answer;
    });
    writeFileSync(file, String(exported.body));
    const kept = path.join(platform.home, 'kept-globex');
    cpSync(path.join(platform.home, 'checkpoints', verified.checkpoint.split('\n')[0].replace('bravo/', '')), kept, {
      recursive: true,
    });
    const keptOld = readdirSync(kept).filter(
      (name) => Number(/\d+/.exec(name)?.[0]) > JSON.parse(String(exported.body).split('\n')[0] ?? '').size,
    );
    keptOld.forEach((name) => rmSync(path.join(kept, name)));
    const { stdout } = await run(
      process.execPath,
      [program, file, '--key', verified.verifier_key, '--checkpoint', kept],
      { cwd: '/', env: {} },
    );
    expect(stdout).toMatch(new RegExp(`^Verified: all entries from ${first} to \\d+\\.`));
    expect(stdout).toMatch(/were pruned, as a signed stub says \(pruned before /);
  });

  it('loses nothing with the whole JetStream directory, and the export verifies on another path with what was kept [trail.lost-stream] [trail.export]', async () => {
    const { alice, platform } = stage;
    const conversation = await alice.createConversation();
    await (await alice.say(conversation, 'what can you do?')).terminal();
    const state = JSON.parse(readFileSync(path.join(platform.home, 'state.json'), 'utf8')) as {
      processes: { name: string; pid: number }[];
    };
    const nats = state.processes.find(({ name }) => name === 'nats')?.pid ?? 0;
    expect(nats).toBeGreaterThan(1);
    // Wiped while events are on their way: the server's data goes, then the server.
    const talking = alice.say(conversation, 'what can you do now?').catch(() => undefined);
    for (const name of readdirSync(path.join(platform.home, 'nats')))
      if (name === 'jetstream') rmSync(path.join(platform.home, 'nats', name), { recursive: true, force: true });
    process.kill(nats, 'SIGKILL');
    const log = await talking;
    log?.close();
    await eventually('another conversation after the loss', async () => {
      const next = await alice.createConversation().catch(() => undefined);
      return next !== undefined && (await alice.call('DELETE', `/bravo/conversations/${next}`)).status < 300;
    });
    const verified = await eventually('a whole trail without a hole, signed to its end', async () => {
      const answer = await alice.get('/audit/verify?deep=true').catch(() => undefined);
      return answer?.ok && answer.gaps.length === 0 && answer.size === answer.checkpoint_size && answer;
    });
    expect(verified.problem).toBe('');

    const workspace = (verified.checkpoint as string).split('\n')[0]?.replace('bravo/', '') ?? '';
    const kept = path.join(platform.home, 'checkpoints', workspace);
    await eventually('the checkpoint outside', async () => readdirSync(kept).length > 1);
    // What is kept goes on growing; an export is held against what was kept before it.
    const copy = path.join(platform.home, 'kept');
    cpSync(kept, copy, { recursive: true });
    const exported = await alice.call('GET', '/audit/export');
    const file = path.join(platform.home, 'trail.jsonl');
    writeFileSync(file, String(exported.body));
    const { stdout } = await run(
      process.execPath,
      [program, file, '--key', verified.verifier_key, '--checkpoint', copy],
      { cwd: '/', env: {} },
    );
    expect(stdout).toMatch(/^Verified: all entries from 0 to \d+\.\nCompared with \d+ kept checkpoints/);
  });

  it('records each event once and in its order, whatever step audit is killed at, and where two processes record [trail.recorded-once]', async () => {
    const { alice, platform } = stage;
    const plan = readPlan(homeAt(platform.home));
    const audit = plan?.services.find(({ name }) => name === 'audit');
    if (!plan || !audit) throw new Error('the platform has no plan');
    const startSecond = () =>
      spawn(audit.spawn.command, [...audit.spawn.args], {
        cwd: audit.spawn.cwd,
        env: { ...audit.spawn.env, BRAVO_HTTP_PORT: '0', BRAVO_GRPC_PORT: '0', BRAVO_TRACE_FILE: '' },
        stdio: 'ignore',
      });
    let second = startSecond();
    const admin = new pg.Client({ connectionString: plan.databaseUrl });
    await admin.connect();
    try {
      // Each step ends in a write: whoever comes to it waits there, and dies there.
      for (const table of ['entries', 'checkpoints', 'outbox']) {
        await admin.query(`BEGIN; LOCK TABLE audit.${table} IN EXCLUSIVE MODE`);
        const conversation = await alice.createConversation();
        // A process just started may refuse the first look; each look is another write to wait with.
        const looking: Promise<unknown>[] = [];
        let answered = true;
        const look = () => {
          if (!answered) return;
          answered = false;
          looking.push(
            alice
              .call('GET', `/audit?resource=${conversation}`)
              .catch(() => undefined)
              .finally(() => (answered = true)),
          );
        };
        await eventually(`a process to wait for ${table}`, async () => {
          look();
          const { rows } = await admin.query<{ waiting: string }>(
            `SELECT count(*) AS waiting FROM pg_locks AS l JOIN pg_class AS c ON c.oid = l.relation WHERE NOT l.granted AND c.relname LIKE '${table}%'`,
          );
          return Number(rows[0]?.waiting) > 0;
        });
        second.kill('SIGKILL');
        await platform.kill('audit');
        await admin.query('ROLLBACK');
        // Two before the first kill and after the last; to start one anew each time proves no more and takes long.
        if (table === 'outbox') second = startSecond();
        await platform.waitReady('audit');
        await Promise.all(looking);
      }
      const last = await alice.createConversation();
      await eventually('the newest event', async () => {
        const answer = await alice.get(`/audit?conversation=${last}`).catch(() => undefined);
        return answer?.entries.length > 0;
      });
      const verified = await eventually('everything signed', async () => {
        const answer = await alice.get('/audit/verify?deep=true').catch(() => undefined);
        return answer?.ok && answer.size === answer.checkpoint_size && answer.gaps.length === 0 && answer;
      });
      expect(verified.problem).toBe('');
      const exported = String((await alice.call('GET', '/audit/export')).body)
        .trimEnd()
        .split('\n')
        .slice(1, -1);
      const events = exported.map(
        (line) => (JSON.parse(line) as { event: { id: string; producer: string; producerseq: number } }).event,
      );
      expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
      for (const producer of new Set(events.map((event) => event.producer))) {
        const numbers = events.filter((event) => event.producer === producer).map(({ producerseq }) => producerseq);
        expect({ producer, numbers }).toEqual({ producer, numbers: [...numbers].sort((a, b) => a - b) });
      }
    } finally {
      await admin.end();
      second.kill('SIGKILL');
    }
  });
});
