import { createHash } from 'node:crypto';
import { readConfig } from './read-config.ts';

const hash = createHash('sha256').update('pod secret').digest('hex');
const complete = {
  ZEROCLAW_gateway__port: '4000',
  ZEROCLAW_gateway__paired_tokens: hash,
  ZEROCLAW_mcp__servers__platform__url: 'http://127.0.0.1:9/mcp/',
  ZEROCLAW_providers__models__custom__main__uri: 'http://127.0.0.1:9/v1',
  ZEROCLAW_providers__models__custom__main__model: 'default',
  BRAVO_TOKEN_SOURCE: 'fd:3',
};

describe('the configuration of a pod', () => {
  it('is read from lowercase overrides', () => {
    expect(readConfig(complete)).toMatchObject({
      host: '127.0.0.1',
      port: 4000,
      tokenHashes: [hash],
      agent: 'worker',
      maxIterations: 25,
      mcp: { server: 'platform', url: 'http://127.0.0.1:9/mcp/', callTimeoutMs: 250_000 },
      model: { uri: 'http://127.0.0.1:9/v1', name: 'default', provider: 'custom.main' },
      tokenSource: 'fd:3',
    });
  });

  it('takes several hashes as JSON or as a list, and lets nobody in without one', () => {
    const second = hash.replace(/./g, 'A');
    expect(
      readConfig({ ...complete, ZEROCLAW_gateway__paired_tokens: JSON.stringify([hash, second]) }).tokenHashes,
    ).toHaveLength(2);
    expect(readConfig({ ...complete, ZEROCLAW_gateway__paired_tokens: `${hash}, ${second}` }).tokenHashes[1]).toBe(
      second.toLowerCase(),
    );
    expect(readConfig({ ...complete, ZEROCLAW_gateway__paired_tokens: '' }).tokenHashes).toEqual([]);
  });

  it('ignores the uppercase names of older ZeroClaw versions and accepts settings of parts it does not have', () => {
    const env = { ...complete, ZEROCLAW_GATEWAY_PORT: '1', ZEROCLAW_API_KEY: 'x', ZEROCLAW_memory__backend: 'sqlite' };
    expect(readConfig(env).port).toBe(4000);
  });

  it('takes another agent alias and the limits of its profile', () => {
    const env = {
      ...complete,
      ZEROCLAW_agents__helper__runtime_profile: 'chat',
      ZEROCLAW_runtime_profiles__chat__max_tool_iterations: '3',
    };
    expect(readConfig(env)).toMatchObject({ agent: 'helper', maxIterations: 3 });
  });

  it.each([
    ['an unknown lowercase name', { ZEROCLAW_gateway__prot: '1' }, /ZEROCLAW_gateway__prot is no setting/],
    ['a name with mixed case', { ZEROCLAW_gateway__Port: '1' }, /ZEROCLAW_gateway__Port is no setting/],
    ['a token instead of its hash', { ZEROCLAW_gateway__paired_tokens: 'secret' }, /sha256/],
    ['a broken list', { ZEROCLAW_gateway__paired_tokens: '[1' }, /JSON array/],
    ['pairing switched off', { ZEROCLAW_gateway__require_pairing: 'false' }, /never serves without a bearer/],
    ['a port out of range', { ZEROCLAW_gateway__port: '70000' }, /from 0 to 65535/],
    ['no tool server', { ZEROCLAW_mcp__servers__platform__url: '' }, /not set/],
    ['an address that is none', { ZEROCLAW_mcp__servers__platform__url: 'file:///etc' }, /http or https/],
    ['two tool servers', { ZEROCLAW_mcp__servers__other__url: 'http://x/' }, /Exactly one MCP server/],
    [
      'a token in the environment',
      { ZEROCLAW_mcp__servers__platform__headers__authorization: 'Bearer x' },
      /no setting/,
    ],
    ['no token source', { BRAVO_TOKEN_SOURCE: '' }, /BRAVO_TOKEN_SOURCE/],
  ])('stops the start on %s', (_what, env, message) => {
    expect(() => readConfig({ ...complete, ...env })).toThrow(message);
  });
});
