/** A killed orchestrator: a second process of the real program is ended with SIGKILL and its conversations go on as they must. */
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { createGrpcClient, createPrincipalSigner } from '@bravo/chassis';
import { openLocalContainerRuntime } from '@bravo/container-runtime/local';
import { isTerminal, publishTurnEvent } from '@bravo/events';
import { OrchestratorServiceService } from '@bravo/proto/orchestrator';
import { waitUntil } from '@bravo/testing';
import {
  as,
  beginConversation,
  type Client,
  eventsIn,
  type Instance,
  message,
  seccompProfile,
  textOf,
  untilEnd,
  useBench,
  workspace,
} from '../fixtures/orchestrator.fixture.ts';
import { bundle } from '../fixtures/bundle.fixture.ts';

const bench = useBench();
const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.join(here, '..', '..', '..', '..', 'node_modules', '.cache', `bravo-orchestrator-${process.pid}`);
const program = path.join(out, 'main.mjs');
const children = new Set<ChildProcess>();

beforeAll(async () => {
  mkdirSync(out, { recursive: true });
  await bundle(path.join(here, '..', 'main.ts'), program, false);
  // The program reads what runs inside its pods from beside itself, bundled or not.
  const gate = path.join(here, '../../../../libs/container-runtime/src/local/contained/pod-gate.mjs');
  copyFileSync(gate, path.join(out, 'pod-gate.mjs'));
}, 30_000);
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(out, { recursive: true, force: true });
});

interface Process {
  readonly gateway: Client;
  kill(signal: NodeJS.Signals): Promise<void>;
}

/** The real program with the environment `up` gives it. */
const startProcess = async (pods: string): Promise<Process> => {
  const { peers } = bench;
  const child = spawn(process.execPath, [program], {
    env: {
      PATH: '/usr/bin:/bin',
      BRAVO_DATABASE_URL: bench.postgres.url('orchestrator'),
      BRAVO_NATS_URL: bench.nats.url,
      BRAVO_NATS_USER: 'orchestrator',
      BRAVO_NATS_PASSWORD: 'secret-orchestrator',
      BRAVO_SERVICE_KEY_FILE: path.join(peers.keys, 'orchestrator'),
      BRAVO_SERVICE_KEYS_FILE: path.join(peers.keys, 'all'),
      BRAVO_IDENTITY_ADDR: peers.identityAddress,
      BRAVO_BROKER_ADDR: peers.brokerAddress,
      BRAVO_MODELS_ADDR: peers.modelsAddress,
      BRAVO_MCP_URL: 'http://127.0.0.1:9/mcp/',
      BRAVO_MODEL_URL: 'http://127.0.0.1:9/v1',
      BRAVO_POD_NODE: bench.podNode,
      BRAVO_POD_PROGRAM: bench.podProgram,
      BRAVO_PODS_DIR: path.join(bench.home, pods),
      BRAVO_POD_FIRST_UID: '64000',
      BRAVO_SECCOMP_PROFILE: seccompProfile,
      BRAVO_INSECURE_PODS: String(process.getuid?.() !== 0),
      BRAVO_LEASE_SECONDS: '2',
      BRAVO_LOG_LEVEL: 'info',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  const port = await waitUntil('the orchestrator to start', () => {
    if (child.exitCode !== null) throw new Error(said);
    return /"grpc_port":(\d+)/.exec(said)?.[1];
  });
  const signer = await createPrincipalSigner('gateway', path.join(peers.keys, 'gateway'));
  const gateway = createGrpcClient(OrchestratorServiceService, {
    address: `127.0.0.1:${port}`,
    audience: 'orchestrator',
    signer,
  });
  return {
    gateway,
    kill: async (signal) => {
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.kill(signal);
      await gone;
      if (process.env['BRAVO_SPEC_LOG']) process.stderr.write(said);
      children.delete(child);
      gateway.close();
    },
  };
};

const slowTurn = async (gateway: Client) => {
  const id = await beginConversation(gateway);
  const { turnId } = await gateway.runTurn(message(id, 'slow 100'), as('alice'));
  const waiting = await gateway.runTurn(message(id, 'echo after the crash'), as('alice'));
  await waitUntil('some text to be kept', async () =>
    ((await bench.database.message.findFirst({ where: { turnId, role: 'assistant' } }))?.content ?? '').includes('3 '),
  );
  return { id, turnId, waiting: waiting.turnId };
};

/** Whoever finds it: ended once as interrupted with its text, never run again, and the waiting one runs. */
const expectTakenOver = async ({
  id,
  turnId,
  waiting,
}: {
  id: string;
  turnId: string;
  waiting: string;
}): Promise<void> => {
  const said = textOf(await untilEnd(bench, id, waiting));
  expect(said).toMatch(/\[message\]\necho after the crash$/);
  expect(said).toContain('"ended":"interrupted"');
  const events = await eventsIn(bench, id);
  const ends = events.filter((event) => event.turn_id === turnId && isTerminal(event));
  expect(ends).toHaveLength(1);
  expect(ends[0]).toMatchObject({ event: 'error', data: { code: 'turn_interrupted', retryable: true } });
  expect(events.filter((event) => event.turn_id === turnId && event.event === 'message_start')).toHaveLength(1);
  const kept = await bench.database.message.findFirstOrThrow({ where: { turnId, role: 'assistant' } });
  expect(kept).toMatchObject({ status: 'interrupted', content: expect.stringMatching(/^1 2 3 /) });
};

describe('a killed orchestrator', () => {
  it('is taken over by another replica once its lease is over, and its pods are counted up to when it was seen', async () => {
    const other: Instance = await bench.start({ warmPods: 0, leaseSeconds: 2 });
    const dying = await startProcess('dying');
    const turn = await slowTurn(dying.gateway);
    await dying.kill('SIGKILL');
    await expectTakenOver(turn);
    await other.stop();
    // Whoever starts on that machine next ends what was left there.
    const directory = path.join(bench.home, 'dying');
    const next = await openLocalContainerRuntime({
      owner: 'next',
      directory,
      uids: { first: 64_000, count: 1 },
      containment: { ociRuntime: 'crun', seccompProfile },
      node: bench.podNode,
      insecure: true,
    });
    expect((await next.sweep()).containers.length).toBeGreaterThan(0);
    expect(readdirSync(path.join(directory, 'work'))).toEqual([]);
    await next.close();
  }, 60_000);

  it('finds at its restart what its earlier life left: pods ended, turns ended, waiting turns begun, without a wait', async () => {
    const first = await startProcess('restarted');
    const turn = await slowTurn(first.gateway);
    await first.kill('SIGKILL');
    const before = Date.now();
    const second = await startProcess('restarted');
    await expectTakenOver(turn);
    expect(Date.now() - before).toBeLessThan(15_000);
    expect(await bench.database.pod.count({ where: { conversationId: turn.id, state: 'claimed' } })).toBe(1);
    await second.kill('SIGTERM');
    expect(readdirSync(path.join(bench.home, 'restarted', 'work'))).toEqual([]);
    expect(readdirSync(path.join(bench.home, 'restarted', 'records'))).toEqual([]);
    expect(await bench.database.pod.count({ where: { conversationId: turn.id, state: 'claimed' } })).toBe(0);
  }, 60_000);

  it('that died between the end of a turn and telling it has it told once by the next', async () => {
    const instance = await bench.start({ warmPods: 0 });
    const told: { id: string; turnId: string }[] = [];
    for (const published of [false, true]) {
      const id = await beginConversation(instance.gateway);
      const { turnId } = await instance.gateway.runTurn(message(id, 'echo done'), as('alice'));
      await untilEnd(bench, id, turnId);
      const row = await bench.database.turn.findUniqueOrThrow({ where: { id: turnId } });
      // As a crash would leave it, long enough ago that the stream itself no longer keeps a second copy out.
      const lost = `trn_lost_${published}`;
      const data = {
        ...row,
        id: lost,
        seq: undefined as never,
        streamPosition: BigInt(await bench.bus.lastSequence('TURNS', `turn.${workspace('acme')}.${id}`)),
        finishedAt: new Date(Date.now() - 300_000),
        terminalPublishedAt: null,
      };
      if (published)
        await publishTurnEvent(
          bench.bus,
          workspace('acme'),
          id,
          { event: 'message_end', data: { id: 'msg_lost', usage: null }, turn_id: lost },
          `long ago ${id}`,
        );
      await bench.database.turn.create({ data });
      told.push({ id, turnId: lost });
    }
    for (const { id, turnId } of told) {
      await waitUntil(
        'the turn to be told',
        async () =>
          (await bench.database.turn.findUniqueOrThrow({ where: { id: turnId } })).terminalPublishedAt !== null,
      );
      expect((await eventsIn(bench, id)).filter((event) => event.turn_id === turnId && isTerminal(event))).toHaveLength(
        1,
      );
    }
    await instance.stop();
  }, 40_000);
});

describe('two replicas', () => {
  it('never drive one conversation both, and one hears of a cancel that the other was asked for', async () => {
    const [one, two] = [
      await bench.start({ warmPods: 1, leaseSeconds: 2 }),
      await bench.start({ warmPods: 1, leaseSeconds: 2 }),
    ];
    const id = await beginConversation(one.gateway);
    const first = await one.gateway.runTurn(message(id, 'echo first'), as('alice'));
    await untilEnd(bench, id, first.turnId);
    // Asked of the other one, driven by the one that has the pod.
    const second = await two.gateway.runTurn(message(id, 'slow 100'), as('alice'));
    await waitUntil('some text', async () => textOf(await eventsIn(bench, id)).includes('2 '));
    const before = Date.now();
    await two.gateway.cancelTurn({ conversationId: id }, as('alice'));
    expect(Date.now() - before).toBeLessThan(2_000);
    expect((await untilEnd(bench, id, second.turnId)).filter(isTerminal)).toHaveLength(1);
    expect(await bench.database.turn.findMany({ where: { conversationId: id }, select: { holder: true } })).toEqual([
      { holder: one.owner },
      { holder: one.owner },
    ]);
    await Promise.all([one.stop(), two.stop()]);
  }, 40_000);

  it('an instance that cannot renew its lease stops saying anything, and the other ends the turn', async () => {
    const [one, two] = [
      await bench.start({ warmPods: 1, leaseSeconds: 2 }),
      await bench.start({ warmPods: 0, leaseSeconds: 2 }),
    ];
    const id = await beginConversation(one.gateway);
    const { turnId } = await one.gateway.runTurn(message(id, 'slow 100'), as('alice'));
    await waitUntil('some text', async () => textOf(await eventsIn(bench, id)).includes('2 '));
    await bench.database.conversation.update({ where: { id }, data: { leaseHolder: two.owner } });
    const events = await untilEnd(bench, id, turnId);
    expect(events.find(isTerminal)).toMatchObject({ data: { code: 'turn_interrupted' } });
    const ofTurn = async () => (await eventsIn(bench, id)).filter((event) => event.turn_id === turnId);
    // The lease was taken from it in the middle, as no clock does; it hears of that when it renews next.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const heard = await ofTurn();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    const later = await ofTurn();
    expect(later.filter(isTerminal)).toHaveLength(1);
    expect(later).toHaveLength(heard.length);
    await waitUntil(
      'its pod to be gone',
      async () =>
        (await bench.database.pod.count({ where: { conversationId: id, owner: one.owner, state: 'claimed' } })) === 0,
    );
    await Promise.all([one.stop(), two.stop()]);
  }, 40_000);
});
