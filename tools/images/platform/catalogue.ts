/** The images of the platform: which program each runs and what it carries beyond what that program imports. */

export interface PlatformImage {
  /** Published as `bravo/<name>`. */
  readonly name: string;
  readonly title: string;
  /** Built programs of the checkout, traced for what they import. */
  readonly entries: readonly string[];
  /** Files and directories of the checkout that are read by path: nothing imports them. */
  readonly data: readonly string[];
  /** Packages that are required by a name no tracer sees. */
  readonly packages?: readonly string[];
  /** What the container starts; paths are inside the image. */
  readonly command: readonly string[];
  /** Programs of other makers that lie beside ours. */
  readonly extra?: 'postgres' | 'nats';
}

/** Where the checkout's own files lie inside an image. */
export const APP_ROOT = '/app';
export const NODE_PROGRAM = '/usr/local/bin/node';
/** Everything runs as this user; nothing in an image belongs to it. */
export const IMAGE_USER = 10_001;

const service = (name: string, data: readonly string[] = [], program = 'main.js'): PlatformImage => ({
  name,
  title: `Bravo ${name}`,
  entries: [...new Set([`apps/${name}/dist/main.js`, `apps/${name}/dist/${program}`])],
  data,
  command: [NODE_PROGRAM, `${APP_ROOT}/apps/${name}/dist/${program}`],
});

export const PLATFORM_IMAGES: readonly PlatformImage[] = [
  service('gateway', ['apps/web/dist']),
  service('identity'),
  service('agent-orchestrator'),
  service('model-gateway'),
  service('tool-broker'),
  service('sandbox-runner', [
    'apps/sandbox-runner/programs',
    'apps/toolbox/dist/toolbox.mjs',
    'deploy/seccomp/bravo-sandbox.json',
  ]),
  service('audit'),
  service('automation'),
  service('egress'),
  {
    name: 'agent-runtime',
    title: 'The program of an agent pod',
    entries: [],
    data: ['apps/agent-runtime/dist/agent-runtime.mjs'],
    command: [NODE_PROGRAM, `${APP_ROOT}/apps/agent-runtime/dist/agent-runtime.mjs`],
  },
  {
    name: 'setup',
    title: 'Keys, roles and migrations',
    entries: ['tools/prisma/schema-engine.mjs'],
    packages: ['pg', 'pg-connection-string', '@prisma/adapter-pg', '@prisma/driver-adapter-utils'],
    data: [],
    command: [NODE_PROGRAM, `${APP_ROOT}/tools/cluster/setup.mjs`],
  },
  {
    name: 'postgres',
    title: 'PostgreSQL for evaluation',
    entries: [],
    data: ['tools/images/platform/start-postgres.mjs'],
    command: [NODE_PROGRAM, `${APP_ROOT}/tools/images/platform/start-postgres.mjs`],
    extra: 'postgres',
  },
  {
    name: 'nats',
    title: 'NATS for evaluation',
    entries: [],
    data: [],
    command: ['/usr/local/bin/nats-server'],
    extra: 'nats',
  },
];

/** The version every image of this checkout is tagged with. */
export const imageReference = (name: string, tag: string): string => `bravo/${name}:${tag}`;
