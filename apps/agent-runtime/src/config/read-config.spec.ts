import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

const agentOf = (config: ReturnType<typeof readConfig>, alias = 'worker') => config.agents.get(alias);

describe('the configuration of a pod', () => {
  it('is read from lowercase overrides', () => {
    const config = readConfig(complete);
    expect(config).toMatchObject({ host: '127.0.0.1', port: 4000, tokenHashes: [hash], tokenSource: 'fd:3' });
    expect(agentOf(config)).toMatchObject({
      alias: 'worker',
      maxIterations: 25,
      level: 'full',
      servers: [{ name: 'platform', url: 'http://127.0.0.1:9/mcp/', callTimeoutMs: 250_000 }],
      model: { uri: 'http://127.0.0.1:9/v1', name: 'default', provider: 'custom.main' },
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
    expect(agentOf(readConfig(env), 'helper')).toMatchObject({ alias: 'helper', maxIterations: 3, servers: [] });
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
    ['two models and no choice', { ZEROCLAW_providers__models__custom__other__uri: 'http://x/' }, /name one in/],
    [
      'a token in two places',
      { ZEROCLAW_mcp__servers__platform__headers__authorization: 'Bearer x' },
      /Both BRAVO_TOKEN_SOURCE and mcp.servers.platform.headers.authorization/,
    ],
    [
      'a model of another wire format',
      { ZEROCLAW_providers__models__custom__main__wire_api: 'responses' },
      /wire format/,
    ],
    [
      'a risk profile that is not there',
      { ZEROCLAW_agents__worker__risk_profile: 'strict' },
      /no \[risk_profiles.strict\]/,
    ],
    ['a level nobody knows', { ZEROCLAW_risk_profiles__x__level: 'fool' }, /readonly, supervised, full/],
    ['no token source', { BRAVO_TOKEN_SOURCE: '' }, /BRAVO_TOKEN_SOURCE/],
  ])('stops the start on %s', (_what, env, message) => {
    expect(() => readConfig({ ...complete, ...env })).toThrow(message);
  });
});

describe('config.toml', () => {
  const directory = mkdtempSync(path.join(tmpdir(), 'bravo-config-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  const read = (toml: string, env: Record<string, string> = {}) => {
    writeFileSync(path.join(directory, 'config.toml'), toml);
    return readConfig({ ZEROCLAW_CONFIG_DIR: directory, ...env });
  };
  const WHOLE = `
schema_version = 3
[providers.models.custom.main]
uri = "http://llm/v1"
model = "our-model"
api_key = "key-of-the-file"
[providers.models.custom.other]
uri = "http://other/v1"
[agents.worker]
model_provider = "custom.main"
risk_profile = "asks"
runtime_profile = "chat"
mcp_bundles = ["platform"]
[agents.second]
model_provider = "custom.other"
[risk_profiles.asks]
level = "supervised"
allowed_tools = ["no_builtins"]
auto_approve = ["platform__read_file"]
[runtime_profiles.chat]
max_tool_iterations = 7
[[mcp.servers]]
name = "platform"
transport = "http"
url = "http://mcp/mcp"
headers = { Authorization = "Bearer of-the-file" }
tool_timeout_secs = 120
[mcp_bundles.platform]
servers = ["platform"]
[gateway]
port = 5000
paired_tokens = ["${hash}"]
request_timeout_secs = 300
[channels.webhook.main]
secret = "of the webhook"
[made_up]
thing = 1
`;

  it('is read whole, with agents that have exactly the bundles they name', () => {
    const config = read(WHOLE);
    expect(config).toMatchObject({
      port: 5000,
      tokenHashes: [hash],
      requestTimeoutMs: 300_000,
      webhookSecret: 'of the webhook',
      tokenSource: undefined,
    });
    expect(agentOf(config)).toMatchObject({
      level: 'supervised',
      autoApprove: ['platform__read_file'],
      maxIterations: 7,
      model: { name: 'our-model', apiKey: 'key-of-the-file' },
      servers: [{ url: 'http://mcp/mcp', authorization: 'Bearer of-the-file', callTimeoutMs: 120_000 }],
      workspace: path.join(directory, 'agents/worker/workspace'),
    });
    expect(agentOf(config, 'second')).toMatchObject({ servers: [], model: { uri: 'http://other/v1' } });
    expect(config.notices).toEqual(['config.toml sets made_up.thing, which this runtime does not have.']);
  });

  it('gives way to the environment', () => {
    const env = {
      ZEROCLAW_gateway__port: '6000',
      ZEROCLAW_mcp__servers__platform__headers__authorization: 'Bearer of-the-env',
    };
    const config = read(WHOLE, env);
    expect(config.port).toBe(6000);
    expect(agentOf(config)?.servers[0]?.authorization).toBe('Bearer of-the-env');
  });

  it.each([
    ['what is no TOML, without the line that may hold a key', 'api_key = "sk-1', /is no TOML \(line 1/],
    ['a rule that would not be enforced', '[risk_profiles.x]\nblock_paths = ["/"]', /does not enforce/],
    ['a server without a name', '[[mcp.servers]]\nurl = "http://x"', /needs a name/],
  ])('stops the start on %s', (_what, toml, message) => {
    const started = () => read(toml, { BRAVO_TOKEN_SOURCE: 'fd:3' });
    expect(started).toThrow(message);
    expect(started).not.toThrow(/sk-1/);
  });
});
