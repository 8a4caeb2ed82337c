/** The sandbox's settings for a test on this machine. */
import { fileURLToPath } from 'node:url';
import type { SandboxSettings } from './prepare-sandbox.ts';

export const settingsHere = (directory: string, more: Partial<SandboxSettings> = {}): SandboxSettings => ({
  directory,
  runtime: 'crun',
  images: process.env['BRAVO_TEST_SANDBOX_IMAGES'] ?? '',
  nodeProgram: process.execPath,
  seccompProfile: fileURLToPath(new URL('../../../../../deploy/seccomp/bravo-sandbox.json', import.meta.url)),
  spare: 0,
  warm: {},
  ...more,
});
