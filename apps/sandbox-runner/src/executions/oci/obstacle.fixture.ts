/** Asks, before a spec declares its tests, whether programs can be isolated on this machine. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SandboxDescription } from '../sandbox-backend.port.ts';

/** Why programs cannot be isolated here, or ''. */
export const obstacleHere = (): string => {
  const probe = fileURLToPath(new URL('./describe-here.fixture.ts', import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, ['--conditions=source', probe], {
    encoding: 'utf8',
  });
  try {
    return (JSON.parse(stdout) as SandboxDescription).reason;
  } catch {
    return stderr || 'the machine could not be asked';
  }
};
