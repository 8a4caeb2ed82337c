import { z } from 'zod';
import {
  databaseSettings,
  grpcSettings,
  ociRuntime,
  processSettings,
  seccompProfile,
  setting,
  type Settings,
} from '../setting.ts';

export const sandboxRunnerSettings = {
  ...processSettings,
  ...grpcSettings,
  ...databaseSettings,
  workspacesDirectory: setting(
    'BRAVO_WORKSPACES_DIR',
    z.string().min(1),
    'Directory with the snapshots of every conversation where no bucket is given.',
  ),
  s3BucketUrl: setting(
    'BRAVO_S3_BUCKET_URL',
    z.union([z.url({ protocol: /^https?$/ }), z.literal('')]).default(''),
    "URL of the S3 bucket for the snapshots of conversations' files, https://server/bucket; empty keeps them in the directory.",
  ),
  s3Region: setting('BRAVO_S3_REGION', z.string().min(1).default('us-east-1'), 'Region the bucket is signed for.'),
  s3AccessKeyId: setting('BRAVO_S3_ACCESS_KEY_ID', z.string().default(''), 'Who signs requests to the bucket.'),
  s3SecretAccessKey: setting('BRAVO_S3_SECRET_ACCESS_KEY', z.string().default(''), 'The secret they are signed with.', {
    secret: true,
  }),
  sandboxDirectory: setting(
    'BRAVO_SANDBOX_DIR',
    z.string().min(1),
    'Directory for bundles and run-time state of executions.',
  ),
  images: setting(
    'BRAVO_SANDBOX_IMAGES',
    z.string().default(''),
    "Directory of the sandbox's images (images.json and a tree per language); empty: this machine's own interpreters, read-only.",
  ),
  nodeProgram: setting(
    'BRAVO_SANDBOX_NODE',
    z.string().min(1),
    'Node program bound into the sandbox as its node interpreter.',
  ),
  seccompProfile,
  toolboxProgram: setting(
    'BRAVO_TOOLBOX_PROGRAM',
    z.string().min(1),
    "Bundled toolbox, which opens a conversation's files in their sandbox; readable by its users.",
  ),
  toolboxes: setting(
    'BRAVO_TOOLBOXES',
    z.coerce.number().int().min(1).max(500).default(24),
    'Conversations whose files are open at the same time; the one unused for longest gives way.',
  ),
  slots: setting(
    'BRAVO_SANDBOX_SLOTS',
    z.coerce.number().int().min(1).max(16).default(4),
    'Programs that run at the same time; more wait their turn.',
  ),
  waitingPerWorkspace: setting(
    'BRAVO_SANDBOX_WAITING_PER_WORKSPACE',
    z.coerce.number().int().min(1).max(1_000).default(32),
    'Programs of one workspace that may wait their turn; one more is refused and told when to try again.',
  ),
  waiting: setting(
    'BRAVO_SANDBOX_WAITING',
    z.coerce.number().int().min(1).max(10_000).default(128),
    'Programs of all workspaces that may wait their turn.',
  ),
  spareCells: setting(
    'BRAVO_SANDBOX_SPARE',
    z.coerce.number().int().min(0).max(8).default(4),
    'Places for programs furnished ahead of need (mounts, limits, a waiting process of under 1 MiB each).',
  ),
  warmPython: setting(
    'BRAVO_SANDBOX_WARM_PYTHON',
    z.coerce.number().int().min(0).max(4).default(1),
    'Python interpreters that wait for a program, each for one only (some 5 MiB each).',
  ),
  warmNode: setting(
    'BRAVO_SANDBOX_WARM_NODE',
    z.coerce.number().int().min(0).max(4).default(1),
    'Node interpreters that wait for a program, each for one only (some 20 MiB each).',
  ),
  warmBash: setting(
    'BRAVO_SANDBOX_WARM_BASH',
    z.coerce.number().int().min(0).max(4).default(1),
    'Bash interpreters that wait for a program, each for one only (some 2 MiB each).',
  ),
  keepResultsDays: setting(
    'BRAVO_SANDBOX_KEEP_RESULTS_DAYS',
    z.coerce.number().int().min(1).max(365).default(7),
    'Days the output and files of a finished program are kept, so that asking again gives the same answer.',
  ),
  ociRuntime,
} as const satisfies Settings;
