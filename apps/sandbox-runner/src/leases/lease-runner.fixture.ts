/**
 * A runner's files in a process of its own, to be stopped and killed: real toolboxes, a real store and leases in a real database.
 * Takes one order per line of standard input and answers with one line. A content that begins with "slow" is kept only after "go on".
 */
import { createInterface } from 'node:readline';
import { realpathSync } from 'node:fs';
import { createDatabase } from '../executions/executions.prisma.ts';
import { instanceOf } from '../executions/oci/instance.ts';
import { settingsHere } from '../executions/oci/settings-here.fixture.ts';
import { openDirectoryObjects } from '../snapshots/local/directory-objects.ts';
import { createSnapshots } from '../snapshots/snapshots.ts';
import { createLocalToolboxes } from '../workspaces/local/local-toolboxes.ts';
import { ToolboxWorkspaces } from '../workspaces/toolbox-workspaces.ts';
import { WorkspaceHolds } from './hold-workspace.ts';
import { createLeaseStore } from './leases.prisma.ts';

export interface RunnerOrder {
  readonly id: number;
  readonly write?: { readonly path: string; readonly text: string };
  readonly read?: string;
  readonly list?: true;
}

interface Place {
  readonly name: string;
  readonly databaseUrl: string;
  readonly store: string;
  readonly state: string;
  readonly toolbox: string;
  readonly node: string;
  readonly conversationId: string;
  readonly ttlMs: number;
}

const place = JSON.parse(process.argv[2] ?? '{}') as Place;
const say = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
const key = { workspaceId: 'ws_acme', conversationId: place.conversationId };
const state = realpathSync(place.state);

let goOn: () => void = () => undefined;
const objects = await openDirectoryObjects(place.store);
const workspaces = new ToolboxWorkspaces({
  toolboxes: createLocalToolboxes({
    instance: instanceOf(state),
    stateDirectory: state,
    ociRuntime: 'crun',
    seccompProfile: settingsHere('').seccompProfile,
    node: place.node,
    program: place.toolbox,
    insecure: true,
    log: () => undefined,
  }),
  snapshots: createSnapshots({
    ...objects,
    get: (name) => objects.get(name),
    list: (prefix) => objects.list(prefix),
    remove: (name) => objects.remove(name),
    put: async (name, content) => {
      if (Buffer.from(content).toString().startsWith('slow')) {
        say({ keeping: true });
        await new Promise<void>((resolve) => (goOn = resolve));
      }
      await objects.put(name, content);
    },
  }),
  holds: new WorkspaceHolds(createLeaseStore(createDatabase(place.databaseUrl), place.name), {
    ttlMs: place.ttlMs,
    patienceMs: 20_000,
  }),
  mostOpen: 4,
  idleMs: 60_000,
  now: () => Date.now(),
  log: () => undefined,
});

const answer = async ({ id, write, read, list }: RunnerOrder): Promise<object> => {
  try {
    if (write !== undefined) {
      const conditions = { expectedRevision: '', expectedLanding: '', operationId: '' };
      await workspaces.write(key, write.path, Buffer.from(write.text), conditions);
      return { id, done: true };
    }
    if (read !== undefined) return { id, text: String((await workspaces.read(key, read, 1_000)).content) };
    if (list) return { id, paths: (await workspaces.list(key, '', 2, 1_000)).entries.map((entry) => entry.path) };
    return { id };
  } catch (error) {
    return { id, error: (error as { code?: string }).code ?? String(error) };
  }
};

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  if (line === 'go on') return goOn();
  void answer(JSON.parse(line) as RunnerOrder).then(say);
});
lines.once('close', () => void workspaces.close().then(() => process.exit(0)));
say({ ready: true });
