/** The bundled program against the contract every agent pod keeps, configured by config.toml as a ZeroClaw would be; and what it takes of memory. */
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describePodContract } from '@bravo/container-runtime/pod-contract/pod.contract';
import { call, ChatClient } from '@bravo/container-runtime/pod-contract/pod-client.fixture';
import { contractSettings } from '@bravo/container-runtime/pod-contract/pod-target';
import { useProgram } from '@bravo/container-runtime/pod-contract/start-program.fixture';
import { bundleProgram } from './testing/bundle-program.fixture.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bravo-pod-contract-'));
const program = path.join(directory, 'agent-runtime.mjs');
beforeAll(() => bundleProgram(program), 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** As the orchestrator starts it: a small young generation gives back what a turn leaves behind. */
const harness = useProgram({
  command: () => [process.execPath, '--max-semi-space-size=1', program],
  settings: 'config.toml',
});
describePodContract(harness);

describe('memory', () => {
  const resident = (pid: number): number =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;

  it('takes less than 80 MB idle, and little more after 100 turns of one session', async () => {
    const pod = await harness.start?.(
      contractSettings(harness.peers(), [createHash('sha256').update('of-this-one').digest('hex')]),
    );
    if (!pod) throw new Error('no pod was started');
    const target = { ...pod, token: 'of-this-one' };
    await call(target, 'GET', '/api/tools?agent=worker');
    const idle = resident(pod.pid);
    const chat = await ChatClient.open(target, 'long');
    for (let turn = 0; turn < 100; turn += 1) {
      chat.say(turn % 10 === 0 ? 'do: call read_file {"path":"a"}' : `do: say turn ${turn} ${'word '.repeat(20)}`);
      await chat.end();
    }
    chat.close();
    const after = resident(pod.pid);
    process.stderr.write(`resident: ${idle.toFixed(1)} MB idle, ${after.toFixed(1)} MB after 100 turns\n`);
    expect(idle).toBeLessThan(80);
    expect(after).toBeLessThan(100);
  }, 60_000);
});
