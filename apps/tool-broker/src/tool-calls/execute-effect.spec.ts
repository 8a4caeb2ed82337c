import { describe, expect, it } from '@jest/globals';
import { Fault } from '@bravo/faults';
import { buildCatalogue } from '../manifests/catalogue.ts';
import { readFileTool } from '../manifests/read-file.ts';
import { writeFileTool } from '../manifests/write-file.ts';
import { NothingBegan } from '../sandbox/sandbox.ts';
import type { BoundEffect, EffectResult, Execute } from '../tools/effect.ts';
import { createExecuteEffect } from './execute-effect.ts';

const DONE: EffectResult = { status: 'completed', summary: [], outputs: [] };
const refused = new NothingBegan('unavailable', 'The sandbox cannot be reached.');
const broken = new Fault('unavailable', 'The connection broke.');

const limited = (tool: typeof readFileTool, timeoutSeconds: number) => ({
  ...tool,
  manifest: { ...tool.manifest, limits: { ...tool.manifest.limits, timeoutSeconds } },
});

const run = async (tool: 'read_file' | 'write_file', execute: Execute, over: Partial<BoundEffect> = {}) => {
  let clock = 0;
  const executeEffect = createExecuteEffect({
    executors: { [tool]: execute },
    catalogue: buildCatalogue([limited(readFileTool, 1), limited(writeFileTool, 30)]),
    tools: {} as never,
    ledger: { beat: async () => undefined },
    now: () => clock,
    sleep: async (ms) => void (clock += ms),
    patienceMs: 2_000,
  });
  const effect = { toolCallId: 'tc_1', call: { tool }, recovered: false, ...over } as unknown as BoundEffect;
  const { status, errorCode } = await executeEffect(effect, new AbortController().signal);
  return { status, errorCode };
};

/** Throws each of these once and the last one for ever. */
const failing = (...errors: (Error | undefined)[]): Execute & { calls(): number } => {
  let calls = 0;
  const execute: Execute = async () => {
    const error = errors[Math.min(calls++, errors.length - 1)];
    if (error !== undefined) throw error;
    return DONE;
  };
  return Object.assign(execute, { calls: () => calls });
};

describe('an effect', () => {
  it('that never reached the sandbox has failed: nothing can have begun [effect.known-failure]', async () => {
    expect(await run('write_file', failing(refused))).toEqual({ status: 'failed', errorCode: 'unavailable' });
  });

  it('that may have reached it once is unknown, whatever the later attempts met', async () => {
    expect(await run('write_file', failing(broken, refused))).toEqual({
      status: 'outcome_unknown',
      errorCode: 'unavailable',
    });
  });

  it('of a process that died may have begun there', async () => {
    expect(await run('write_file', failing(refused), { recovered: true })).toMatchObject({
      status: 'outcome_unknown',
    });
  });

  it('is asked for again while there is no answer', async () => {
    const execute = failing(broken, refused, undefined);
    expect(await run('write_file', execute)).toMatchObject({ status: 'completed' });
    expect(execute.calls()).toBe(3);
  });

  it('whose input could not be read before it began has failed', async () => {
    expect(await run('write_file', failing(new NothingBegan('internal', '')))).toMatchObject({ status: 'failed' });
    expect(await run('write_file', failing(new Error('our own mistake')))).toMatchObject({
      status: 'outcome_unknown',
    });
  });

  it('that takes longer than its tool may take is told to end [effect.limit]', async () => {
    const execute: Execute = (_effect, _tools, signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ ...DONE, status: 'failed', errorCode: 'told to end' })),
      );
    expect(await run('read_file', execute)).toEqual({ status: 'failed', errorCode: 'told to end' });
  });

  it('that does not listen is left behind', async () => {
    const deaf = run('read_file', () => new Promise(() => undefined));
    expect(await deaf).toEqual({ status: 'failed', errorCode: 'deadline_exceeded' });
  }, 40_000);
});
