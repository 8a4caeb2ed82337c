/** What a tool call costs through the broker (authenticated, decided, recorded, labelled) beside the same tool on the MCP SDK alone. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Benchmark, inTurn, quantile, timed } from './benchmark.ts';
import { startChildServer } from './child-server.ts';
import { McpClient } from './mcp-client.ts';

const attempt = (client: McpClient, given: object) => (): Promise<number> =>
  timed(() => client.call('list_files', given));

export const benchmark: Benchmark = {
  title: 'A tool call: list_files through the broker / on a bare MCP SDK server',
  run: async ({ smoke, platform }) => {
    const { attach } = await platform();
    const { mcp_url: url, token } = await attach('alice');
    const directory = mkdtempSync(path.join(tmpdir(), 'bravo-bench-'));
    writeFileSync(path.join(directory, 'one.txt'), 'one');
    const bare = await startChildServer('bare-mcp-server.ts', directory);
    try {
      const [ours, reference] = [new McpClient(url, token), new McpClient(bare.url, 'none')];
      for (const client of [ours, reference]) await client.open();
      await inTurn(smoke ? 3 : 60, attempt(ours, {}), attempt(reference, {}));
      const taken = await inTurn(smoke ? 20 : 400, attempt(ours, {}), attempt(reference, {}));
      const row = (name: string, fraction: number, goal: number) => ({
        ...{ name, unit: 'ms', goal },
        ...{ ours: quantile(taken.ours, fraction), reference: quantile(taken.reference, fraction) },
      });
      return [row('one call, p50', 0.5, 1.5), row('one call, p99', 0.99, 2)];
    } finally {
      await bare.stop();
      rmSync(directory, { recursive: true });
    }
  },
};
