/** The list of tools says why a program cannot be run, also where the machine is the reason. */
import { describe, expect, it } from '@jest/globals';
import type { Identity } from '../access/agent.ts';
import { firstPartyCatalogue } from '../manifests/catalogue.ts';
import { createListTools } from './list-tools.ts';

const config = {
  enabled: true,
  allowedTools: [],
  deniedTools: [],
  requireApproval: [],
  codeExecEnabled: true,
  maxConcurrent: 3,
};
const identity = {
  features: async () => ({ bravo: true, code_exec: true }),
  agentConfig: async () => ({ config, policyVersion: '1' }),
} as unknown as Identity;

const statesWhen = async (reason: string | undefined) => {
  const tools = await createListTools(identity, firstPartyCatalogue(), async () => reason)('ws_1');
  return Object.fromEntries(tools.map(({ manifest, state, reason }) => [manifest.name, [state, reason]]));
};

describe('the list of tools', () => {
  it('denies what runs programs, and nothing else, where none can be contained', async () => {
    const states = await statesWhen('crun is not installed.');
    expect(states['execute_script']).toEqual(['denied', 'crun is not installed.']);
    expect(states['read_file']?.[0]).not.toBe('denied');
  });

  it('says nothing of the machine where programs can be run', async () => {
    expect((await statesWhen(undefined))['execute_script']?.[0]).toBe('available');
  });
});
