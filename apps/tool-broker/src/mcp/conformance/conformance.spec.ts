/** The MCP conformance suite against the broker's own endpoint: its authentication, origin check, body limits and both eras as in production, with the suite's tools behind it and a proxy before it that adds a token. */
import { spawn } from 'node:child_process';
import { createServer, request as ask, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequire } from 'node:module';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHttpApp, createLogger, listenHttp } from '@bravo/chassis';
import { Fault } from '@bravo/faults';
import { BrokerModule } from '../../broker.module.ts';
import { useStrictJson } from '../../json/json-body.http.ts';
import { firstPartyCatalogue } from '../../manifests/catalogue.ts';
import { createSuiteServer } from './suite-server.fixture.ts';

const TOKEN = 'bwt_bravo_000000000000000000000000000000000000000000000000';
const suite = path.join(
  path.dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')),
  'dist/index.js',
);

let proxy: Server;
let close: () => Promise<void>;
let url: string;
let brokerUrl: string;

beforeAll(async () => {
  let brokerPort = 0;
  // Everything passes as it is, the token alone is added.
  proxy = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${TOKEN}` };
    const { method, url: target } = incoming;
    const onward = ask({ host: '127.0.0.1', port: brokerPort, method, path: target, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp/`;
  const agent = {
    ...({ bound: true, tokenId: 'tok_1', podId: 'pod_1', userId: 'usr_1', userName: 'alice' } as const),
    ...{ workspaceId: 'ws_1', workspaceSlug: 'acme', conversationId: 'cnv_1', role: 'member', permissions: [] },
    expiresAt: Date.now() + 3_600_000,
  };
  const app = await createHttpApp(
    BrokerModule.with(
      {
        catalogue: firstPartyCatalogue(),
        offerTools: async () => [],
        handleCall: () => Promise.reject(new Error('no tool of the broker is called here')),
        resolveAgent: async (token) => {
          if (token !== TOKEN) throw new Fault('unauthenticated', 'The agent token is unknown.');
          return agent;
        },
        holdMsOf: () => 1_000,
        mcpUrl: url,
        onError: () => undefined,
        replaceServer: createSuiteServer(),
      },
      { checks: {} },
    ),
    { logger: createLogger('tool-broker', 'silent'), bodyLimit: 4 * 1024 * 1024 },
  );
  useStrictJson(app);
  brokerPort = await listenHttp(app, '127.0.0.1', 0);
  brokerUrl = `http://127.0.0.1:${brokerPort}/mcp/`;
  close = () => app.close();
}, 60_000);
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await close?.();
});

const runSuite = async (revision: string): Promise<string> => {
  const child = spawn(
    process.execPath,
    [suite, 'server', '--url', url, '--requirements', revision, '--timeout', '90000'],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  await new Promise((resolve) => child.on('close', resolve));
  return said;
};

/** Scenarios of the summary by how they ended; those the suite itself does not score are left out. */
const readSummary = (said: string): { said: string; passed: string[]; failed: string[] } => {
  const [, summary = ''] = said.split('=== SUMMARY ===');
  const [scored = '', unscored = ''] = summary.split('Not scored for');
  const notScored = new Set([...unscored.matchAll(/^\s+\S (\S+) \(/gm)].map(([, name]) => name));
  const rows = [...scored.matchAll(/^(\S) (\S+): \d+ passed, (\d+) failed/gm)].filter(
    ([, , name]) => !notScored.has(name),
  );
  const names = (ok: boolean): string[] =>
    rows.filter(([, mark, , failing]) => (mark === '✓' && failing === '0') === ok).map(([, , name = '']) => name);
  return { said, passed: names(true), failed: names(false) };
};

describe('the conformance suite of MCP', () => {
  it.each([
    ['2026-07-28', 37],
    ['2025-11-25', 30],
  ])(
    'of %s passes every one of its %d required scenarios [mcp.conformance]',
    async (revision, count) => {
      const { said, passed, failed } = readSummary(await runSuite(revision));
      process.stdout.write(`MCP ${revision}: ${passed.length} of ${count} required scenarios pass\n`);
      expect({ failed, said: failed.length === 0 ? '' : said }).toEqual({ failed: [], said: '' });
      expect(passed).toHaveLength(count);
    },
    300_000,
  );

  it('is run over the endpoint as it is: without a token, or with another, it answers nobody', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    for (const more of [{}, { authorization: 'Bearer bwt_bravo_1' }]) {
      const refused = await fetch(brokerUrl, { method: 'POST', body, headers: { ...headers, ...more } });
      expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
        401,
        expect.stringContaining('resource_metadata='),
      ]);
    }
  });
});
