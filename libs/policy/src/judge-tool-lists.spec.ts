/** What a workspace's lists say of a tool, in the order in which they are asked, and in whole sentences. */
import { describe, expect, it } from '@jest/globals';
import type { ConfigSnapshot } from './index.ts';
import { judgeToolLists } from './index.ts';
import { configSnapshot } from './facts.fixture.ts';

const run = { name: 'run', runsCode: true };
const look = { name: 'look', runsCode: false };
const DENIED = { code: 'tool_denied', text: 'An administrator has denied the tool run in this workspace.' };
const NOT_ALLOWED = {
  code: 'tool_not_allowed',
  text: 'The tool run is not among the tools allowed in this workspace.',
};
const OFF = { code: 'code_execution_off', text: 'Running code is not enabled in this workspace.' };

describe('the lists of a workspace', () => {
  it.each<[string, typeof run, Partial<ConfigSnapshot>, unknown]>([
    ['that are empty refuse nothing', run, {}, undefined],
    ['deny what they name, also where it is allowed', run, { deniedTools: ['run'], allowedTools: ['run'] }, DENIED],
    ['allow nothing else once they allow one', run, { allowedTools: ['look'] }, NOT_ALLOWED],
    ['allow what they name', run, { allowedTools: ['look', 'run'] }, undefined],
    ['say nothing of others that are denied', look, { deniedTools: ['run'] }, undefined],
    ['let no code run where that is off', run, { codeExecEnabled: false }, OFF],
    ['that say nothing of code let none run', run, { codeExecEnabled: undefined as never }, OFF],
    ['let run what is no code where that is off', look, { codeExecEnabled: false }, undefined],
  ])('%s', (_, tool, config, expected) => {
    expect(judgeToolLists(tool, configSnapshot(config))).toEqual(expected);
  });
});
