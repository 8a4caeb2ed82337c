/** Sessions with programs of this machine in the sandbox's place, for specs of what a language server may do to the broker. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { PassThrough } from 'node:stream';
import type { LanguageServer } from './language-table.ts';
import type { OpenSession, SessionEnd } from './open-session.ts';

const PROGRAM = fileURLToPath(new URL('./language-server.fixture.mjs', import.meta.url));

export const serverThat = (mode: string): LanguageServer => ({
  language: 'typescript',
  title: 'test-server',
  extensions: { ts: 'typescript' },
  argv: [process.execPath, PROGRAM, mode],
  options: {},
});

export const spawnedSessions = (): { openSession: OpenSession; children: ChildProcess[]; killAll(): void } => {
  const children: ChildProcess[] = [];
  const openSession: OpenSession = (_who, { argv }) => {
    const child = spawn(argv[0] ?? '', argv.slice(1), { stdio: ['pipe', 'pipe', 'ignore'] });
    children.push(child);
    const output = new PassThrough();
    const ended = new Promise<SessionEnd>((resolve) => {
      child.once('error', () => {
        output.end();
        resolve({ outcome: 'ok', exitCode: 127, failure: 'not_found', sentence: '' });
      });
      child.once('close', (code) => resolve({ outcome: 'ok', exitCode: code ?? 0, failure: '', sentence: '' }));
    });
    child.stdout.pipe(output);
    child.stdin.on('error', () => undefined);
    return {
      output,
      ended,
      send: (bytes) => void (child.stdin.writable && child.stdin.write(bytes)),
      close: () => {
        child.stdin.end();
        setTimeout(() => child.kill('SIGKILL'), 300).unref();
      },
    };
  };
  return { openSession, children, killAll: () => children.forEach((child) => child.kill('SIGKILL')) };
};
