/** The other runtime keeps the same contract: what passes with both relies on the contract and not on ours. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll } from '@jest/globals';
import { describePodContract } from '@bravo/container-runtime/pod-contract/pod.contract';
import { useProgram } from '@bravo/container-runtime/pod-contract/start-program.fixture';
import { bundleOtherRuntime } from './bundle-other-runtime.ts';

const directory = mkdtempSync(path.join(tmpdir(), 'bravo-other-runtime-'));
const program = path.join(directory, 'other-runtime.mjs');
beforeAll(() => bundleOtherRuntime(program), 60_000);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describePodContract(useProgram({ command: () => [process.execPath, program], settings: 'environment' }));
