/** The pod contract against a runtime at an address: says how that runtime has to be configured, and runs the suite with the peers it was given. */
import { randomBytes, createHash } from 'node:crypto';
import { asToml, contractSettings } from '@bravo/container-runtime/pod-contract/pod-target';
import { runJest } from './run-jest.ts';

/** Where the suite's model and tools listen while it runs. */
const PORTS = { model: 42_618, mcp: 42_619 };
const TOKEN = 'bwt_bravo_contract0000000000';

/** The whole `config.toml` for a runtime under the contract, and the token that opens it. */
export const contractConfiguration = (token = randomBytes(24).toString('hex')): { readonly toml: string; readonly token: string } => {
  const peers = { modelUrl: `http://127.0.0.1:${PORTS.model}/v1`, mcpUrl: `http://127.0.0.1:${PORTS.mcp}/mcp`, token: TOKEN };
  return { token, toml: asToml(contractSettings(peers, [createHash('sha256').update(token).digest('hex')])) };
};

/** @returns how many checks held, and how many did not. */
export const checkRuntime = async (url: string, token: string): Promise<{ passed: number; failed: number }> => {
  const env = { BRAVO_RUNTIME_URL: url, BRAVO_RUNTIME_TOKEN: token, BRAVO_RUNTIME_PEERS: `${PORTS.model},${PORTS.mcp}` };
  const { code, report } = await runJest(['--runInBand', '--verbose', 'pod-contract/pod-url'], { show: true, env });
  const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
  return { passed: report.numPassedTests, failed: failed === 0 && code !== 0 ? 1 : failed };
};
