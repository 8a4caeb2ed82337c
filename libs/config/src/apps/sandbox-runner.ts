import { z } from 'zod';
import { databaseSettings, grpcSettings, processSettings, setting, type Settings } from '../setting.ts';

export const sandboxRunnerSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  workspacesDirectory: setting(
    'BRAVO_WORKSPACES_DIR',
    z.string().min(1),
    'Directory with the files of every conversation.',
  ),
  sandboxDirectory: setting(
    'BRAVO_SANDBOX_DIR',
    z.string().min(1),
    'Directory for bundles and run-time state of executions.',
  ),
  nodeProgram: setting(
    'BRAVO_SANDBOX_NODE',
    z.string().min(1),
    'Node program bound into the sandbox as its node interpreter.',
  ),
  seccompProfile: setting('BRAVO_SECCOMP_PROFILE', z.string().min(1), 'Resolved OCI seccomp profile (JSON).'),
  slots: setting(
    'BRAVO_SANDBOX_SLOTS',
    z.coerce.number().int().min(1).max(16).default(4),
    'Programs that run at the same time; more wait their turn.',
  ),
  keepResultsDays: setting(
    'BRAVO_SANDBOX_KEEP_RESULTS_DAYS',
    z.coerce.number().int().min(1).max(365).default(7),
    'Days the output and files of a finished program are kept, so that asking again gives the same answer.',
  ),
  ociRuntime: setting('BRAVO_OCI_RUNTIME', z.string().default('crun'), 'OCI runtime program.'),
} as const satisfies Settings;
