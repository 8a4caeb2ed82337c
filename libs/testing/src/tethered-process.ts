/** Starts a server for a test so that it cannot outlive the test: when the test process goes, however it goes, the server is stopped. */
import { spawn } from 'node:child_process';
import type { SpawnPlan } from '@bravo/tools/stack/spawn-plan';

export interface TetheredProcess {
  /** What the process said so far, for error messages. */
  output(): string;
  exited(): boolean;
  /** Resolves when the process is gone. */
  stop(): Promise<void>;
}

// The shell's stdin is a pipe held by the test alone: it ends with the test, and the shell then stops the server.
const leash = `"$@" </dev/null & child=$!
( cat >/dev/null; kill -"$STOP" $child 2>/dev/null ) <&3 &
wait $child`;

export const startTethered = (plan: SpawnPlan): TetheredProcess => {
  const child = spawn('/bin/sh', ['-c', leash, 'sh', plan.command, ...plan.args], {
    cwd: plan.cwd,
    env: { ...plan.env, STOP: plan.stopSignal.replace(/^SIG/, '') },
    ...(plan.uid === undefined ? {} : { uid: plan.uid, gid: plan.gid ?? plan.uid }),
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let said = '';
  const collect = (text: Buffer): void => {
    said = (said + text.toString()).slice(-20_000);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', (error) => {
      said += error.message;
      resolve();
    });
  });
  return {
    output: () => said,
    exited: () => child.exitCode !== null || child.signalCode !== null,
    stop: async () => {
      (child.stdio[3] as NodeJS.WritableStream).end();
      await gone;
    },
  };
};
