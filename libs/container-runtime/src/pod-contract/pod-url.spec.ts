/**
 * The contract against a pod that runs somewhere already: `./bravo test --runtime-contract <url>` says how it has to be
 * configured and sets the three variables; without them there is nothing to check here.
 */
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type ContractPeers, startContractPeers } from './contract-peers.fixture.ts';
import { describePodContract } from './pod.contract.ts';

const { BRAVO_RUNTIME_URL: url, BRAVO_RUNTIME_TOKEN: token = '', BRAVO_RUNTIME_PEERS: ports = '' } = process.env;

describe('a pod at an address', () => {
  if (!url) {
    it.skip('is checked where BRAVO_RUNTIME_URL names one', () => undefined);
    return;
  }
  let peers: ContractPeers;
  beforeAll(async () => {
    const [model = 0, mcp = 0] = ports.split(',').map(Number);
    peers = await startContractPeers({ model, mcp });
  });
  afterAll(() => peers.close());
  describePodContract({ target: () => ({ baseUrl: url.replace(/\/+$/, ''), token }), peers: () => peers });
});
