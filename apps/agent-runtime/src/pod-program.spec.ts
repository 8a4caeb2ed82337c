/** The bundled program as a pod starts it: one file, a scrubbed environment, the token on a descriptor. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { bundleProgram } from './testing/bundle-program.fixture.ts';
import { say, startMcpServer, startModelServer } from './testing/real-servers.fixture.ts';
import type { McpSpy, ModelSpy, RealServer } from './testing/real-servers.fixture.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bravo-pod-program-'));
const program = path.join(directory, 'agent-runtime.mjs');
const SECRET = 'pod-secret';
const headers = { authorization: `Bearer ${SECRET}` };
const children: ChildProcess[] = [];
let mcp: RealServer & McpSpy;
let model: RealServer & ModelSpy;

beforeAll(async () => {
  await bundleProgram(program);
  mcp = await startMcpServer('bwt_bravo_token');
  model = await startModelServer();
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await mcp.close();
  await model.close();
  rmSync(directory, { recursive: true, force: true });
});

interface Started {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly base: string;
}

function start(more: Record<string, string> = {}): Started {
  // The port is read from the log, so that two runs never meet.
  const child = spawn(process.execPath, [program], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: {
      ZEROCLAW_gateway__port: '0',
      ZEROCLAW_gateway__paired_tokens: createHash('sha256').update(SECRET).digest('hex'),
      ZEROCLAW_mcp__servers__platform__url: mcp.url,
      ZEROCLAW_providers__models__custom__main__uri: model.url,
      BRAVO_TOKEN_SOURCE: 'fd:3',
      ...more,
    },
  });
  children.push(child);
  let text = '';
  child.stderr?.on('data', (data: Buffer) => (text += data.toString()));
  const output = (): string => text;
  return {
    child,
    output,
    get base() {
      const port = /listening on 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (port === undefined) throw new Error('it does not listen yet');
      return `127.0.0.1:${port}`;
    },
  };
}
const give = (child: ChildProcess, text: string): boolean => (child.stdio[3] as Writable).write(text);
const exit = (child: ChildProcess): Promise<number | null> =>
  child.exitCode !== null ? Promise.resolve(child.exitCode) : new Promise((resolve) => child.once('exit', resolve));

async function whenUp(pod: Started): Promise<void> {
  for (let round = 0; round < 400; round += 1) {
    const up = await Promise.resolve()
      .then(() => fetch(`http://${pod.base}/health`))
      .then(
        () => true,
        () => false,
      );
    if (up) return;
    await sleep(25);
  }
  throw new Error(`it never answered: ${pod.output()}`);
}

describe('the pod program', () => {
  it('starts with a token that arrives in pieces from a parent that keeps its end open, and does a turn in little memory', async () => {
    const pod = start();
    give(pod.child, '{"agent_to');
    await sleep(50);
    give(pod.child, 'ken":"bwt_bravo_token"}');
    await whenUp(pod);
    const { tools } = (await (await fetch(`http://${pod.base}/api/tools?agent=worker`, { headers })).json()) as {
      tools: unknown[];
    };
    expect(tools).toHaveLength(2);

    model.answer = ({ messages }, response) =>
      messages.some(({ role }) => role === 'tool')
        ? say(response, ['done'])
        : say(response, [], [{ id: 'c1', name: 'platform__read_file', args: {} }]);
    const socket = new WebSocket(`ws://${pod.base}/ws/chat?agent=worker&session_id=s`, ['zeroclaw.v1'], { headers });
    const end = new Promise<string>((resolve) =>
      socket.on('message', (data) => (/"type":"done"/.test(data.toString()) ? resolve(data.toString()) : undefined)),
    );
    await new Promise((resolve) => socket.once('open', resolve));
    socket.send(JSON.stringify({ type: 'message', content: 'go' }));
    expect(JSON.parse(await end)).toMatchObject({ full_response: 'done', model: 'test-model' });

    const peak = Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pod.child.pid}/status`, 'utf8'))?.[1]);
    expect(peak / 1024).toBeLessThan(80);
    const environment = readFileSync(`/proc/${pod.child.pid}/environ`, 'utf8');
    expect(environment).not.toContain('bwt_bravo');

    const before = performance.now();
    pod.child.kill('SIGTERM');
    expect(await exit(pod.child)).toBe(0);
    expect(performance.now() - before).toBeLessThan(1_000);
  });

  it('takes its token from a file as well', async () => {
    const file = path.join(directory, 'token.json');
    writeFileSync(file, '{"agent_token":"bwt_bravo_token"}');
    const pod = start({ BRAVO_TOKEN_SOURCE: `file:${file}` });
    await whenUp(pod);
  });

  it.each([
    ['a setting it does not know', { ZEROCLAW_gateway__prot: '1' }, /ZEROCLAW_gateway__prot is no setting/],
    ['no token file', { BRAVO_TOKEN_SOURCE: 'file:/nowhere/token' }, /could not be read from file:\/nowhere\/token/],
    ['a descriptor that is not there', { BRAVO_TOKEN_SOURCE: 'fd:17' }, /could not be read from fd:17/],
    ['a taken port', { ZEROCLAW_gateway__port: 'taken' }, /cannot listen on/],
  ])('stops with one sentence on %s', async (_what, env, sentence) => {
    const settings = Object.values(env).includes('taken') ? { ZEROCLAW_gateway__port: new URL(mcp.url).port } : env;
    const pod = start(settings as Record<string, string>);
    give(pod.child, '{"agent_token":"bwt_bravo_token"}');
    (pod.child.stdio[3] as Writable).on('error', () => undefined);
    expect(await exit(pod.child)).toBe(1);
    await sleep(20);
    expect(pod.output()).toMatch(sentence);
    expect(pod.output()).not.toMatch(/bwt_bravo|\n\s+at /);
  });

  it('stops when the token is no token', async () => {
    const pod = start();
    (pod.child.stdio[3] as Writable).end('{"agent_token":42}');
    expect(await exit(pod.child)).toBe(1);
    await sleep(20);
    expect(pod.output()).toMatch(/fd:3 must hold JSON of the form/);
  });
});
