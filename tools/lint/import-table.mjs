/** Who may import what, as data: the first row whose `files` match a path is its law. Read by the lint rule and by docs. */

const PURE_PACKAGES = ['re2js', 'yaml', '@noble/hashes', 'ipaddr.js', 'diff'];
/** Packages without I/O that application logic may use. */
const LOGIC_PACKAGES = ['zod', 'ulid', 'cockatiel'];
/** Parts of the chassis that carry no framework. */
const CHASSIS_CORE = ['@bravo/chassis/reference', '@bravo/chassis/trace-context', '@bravo/chassis/spans', '@bravo/chassis/metrics', '@bravo/chassis/statement-names', '@bravo/chassis/egress-refusals'];
/** Node built-ins that compute and do not reach out. */
const COMPUTING_BUILTINS = ['node:crypto', 'node:path', 'node:url', 'node:util', 'node:buffer', 'node:events', 'node:timers', 'node:async_hooks', 'node:string_decoder', 'node:perf_hooks'];
const NEST = ['@nestjs/*', 'rxjs', 'reflect-metadata', 'fastify', '@fastify/*'];
const BRAVO_LIBS = ['@bravo/faults', '@bravo/policy', '@bravo/config', '@bravo/chassis', '@bravo/events', '@bravo/container-runtime', '@bravo/proto', '@bravo/workspace-files'];
const WAYS_IN = 'apps/*/src/**/*.{http,grpc,mcp,ws,consumer}.ts';

/** What a suffix makes of a file inside an app; without one it is application logic. The first pattern that fits counts. */
export const FILE_KINDS = [
  { kind: 'wiring', files: ['apps/*/src/**/*.module.ts', 'apps/*/src/{main,launch}.ts'] },
  { kind: 'a way in', files: [WAYS_IN] },
  { kind: 'a way out', files: ['apps/*/src/**/*.{client,prisma}.ts'] },
  { kind: 'application logic', files: ['apps/*/src/**'] },
];

/** Inner never imports outer, also not by a relative path: which kinds of file of its own app each kind may not import. */
export const OUTER_KINDS = {
  'application logic': ['a way in', 'a way out', 'wiring'],
  'a way in': ['a way out', 'wiring'],
  'a way out': ['a way in', 'wiring'],
};

/**
 * `packages`: bare specifiers allowed (a trailing `/*` or a sub-path of a listed package also counts); `'*'` is anything.
 * `types`: further packages of which only types may be imported. `generated`: whether generated code may be imported.
 */
export const IMPORT_TABLE = [
  { name: 'a test', files: ['**/*.spec.ts', '**/*.contract.ts', '**/*.fixture.ts', 'tests/**'], packages: ['*'], generated: true, anyRelative: true },
  { name: 'a pure library', files: ['libs/policy/**', 'libs/faults/**'], packages: PURE_PACKAGES },
  { name: 'what runner and toolbox share', files: ['libs/workspace-files/**'], packages: ['@bravo/faults', 'zod'] },
  { name: 'the configuration', files: ['libs/config/**'], packages: ['zod'] },
  { name: 'an adapter', files: ['libs/{events,container-runtime}/src/*/**'], packages: ['*'], forbidden: [...NEST, '@bravo/chassis', '@bravo/proto', '@bravo/config'] },
  { name: 'a port', files: ['libs/{events,container-runtime}/src/*.ts'], packages: ['@bravo/faults', ...LOGIC_PACKAGES], noFolders: true },
  { name: 'the contracts', files: ['libs/proto/**'], packages: ['@bufbuild/protobuf', '@grpc/grpc-js', 'node:url'], generated: true },
  { name: 'the chassis', files: ['libs/chassis/**'], packages: ['*'], forbidden: ['@bravo/events', '@bravo/policy', '@bravo/container-runtime', '@prisma/*', '@modelcontextprotocol/*'] },
  { name: 'test support', files: ['libs/testing/**'], packages: ['*'] },
  { name: 'a tool', files: ['tools/**'], packages: ['*'], forbidden: NEST },
  { name: 'a tool', files: ['benchmarks/**'], packages: ['*'], forbidden: NEST, anyRelative: true },
  // Whoever verifies must not have to believe anything of ours.
  { name: 'the verifier, which knows nothing of the server', files: ['apps/bravo-verify/**'], packages: ['node:*'], anyRelative: true },
  { name: 'the agent runtime, the least trusted program', files: ['apps/agent-runtime/**'], packages: ['*'], forbidden: [...NEST, '@prisma/*', '@nats-io/*', '@grpc/*', ...BRAVO_LIBS.filter((lib) => lib !== '@bravo/faults')] },
  { name: "the toolbox, which opens a conversation's files", files: ['apps/toolbox/**'], packages: ['*'], forbidden: [...NEST, '@prisma/*', '@nats-io/*', '@grpc/*', '@bravo/config', '@bravo/chassis', '@bravo/events', '@bravo/container-runtime', '@bravo/proto'] },
  // What makes hidden characters visible is one for the broker's previews and the page.
  { name: 'the web page', files: ['apps/web/**'], packages: ['*'], forbidden: [...NEST, 'node:*', ...BRAVO_LIBS.filter((lib) => lib !== '@bravo/policy')] },
  { name: 'a module or main', files: ['apps/*/src/**/*.module.ts', 'apps/*/src/{main,launch}.ts', 'apps/*/prisma.config.ts'], packages: ['*'], generated: true },
  { name: 'a way in', files: [WAYS_IN], packages: [...NEST, '@modelcontextprotocol/*', 'ws', 'zod', ...BRAVO_LIBS, 'node:*'], forbidden: ['@bravo/config'] },
  { name: 'a store', files: ['apps/*/src/**/*.prisma.ts'], packages: ['@prisma/*', 'pg', ...COMPUTING_BUILTINS, '@bravo/faults', '@bravo/policy', '@bravo/events', ...CHASSIS_CORE, ...LOGIC_PACKAGES], generated: true },
  { name: 'a client', files: ['apps/*/src/**/*.client.ts'], packages: ['@bravo/proto', '@bravo/chassis', '@bravo/faults', '@bravo/policy', '@bravo/events', '@bravo/workspace-files', '@modelcontextprotocol/*', '@openfeature/server-sdk', 'ws', 'vscode-jsonrpc/node', 'node:*', ...LOGIC_PACKAGES] },
  { name: 'an adapter', files: ['apps/*/src/*/{oci,in-process,demo,ai-sdk,local,s3,kubernetes,smtp,secretlint}/**'], packages: ['*'], forbidden: [...NEST, '@prisma/*', '@bravo/proto'] },
  {
    name: 'application logic',
    files: ['apps/*/src/**'],
    packages: ['@bravo/faults', '@bravo/policy', '@bravo/events', '@bravo/container-runtime', '@bravo/workspace-files', ...CHASSIS_CORE, ...LOGIC_PACKAGES, ...COMPUTING_BUILTINS],
    types: ['@bravo/chassis', '@bravo/config'],
  },
];
