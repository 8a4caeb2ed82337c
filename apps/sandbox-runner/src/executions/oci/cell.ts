/**
 * The place one program runs in: a range of ids, a sized workspace, a cgroup with limits, and a process that waits to become
 * the runtime. It is furnished before there is a program, serves one, and is removed as a whole.
 */
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, existsSync, lchownSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs';
import { chown, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type CgroupLeaf, type FoundCgroups, type OciRuntime, runCommand } from '@bravo/container-runtime/oci';
import type { InputFile, Limits } from '../sandbox-backend.port.ts';
import { groupLimits, INSIDE_ID } from './bundle-config.ts';
import { createDirectory } from './create-directory.ts';
import type { Instance } from './instance.ts';
import { mountWorkspace, runPaths, unmountAllUnder, unmountWorkspace, type RunPaths } from './mounts.ts';
import { WaitingRuntime } from './waiting-runtime.ts';

export interface CellSite {
  readonly instance: Instance;
  readonly cgroups: FoundCgroups;
  readonly runtime: OciRuntime;
  /** `--root` of the OCI runtime. */
  readonly stateDirectory: string;
  readonly hidden: readonly string[];
}

export class Cell {
  readonly id = `r${randomBytes(9).toString('hex')}`;
  readonly paths: RunPaths;
  readonly firstHostId: number;
  /** Host id of the program's user. */
  readonly owner: number;
  readonly #site: CellSite;
  #mounted = false;
  #leaf: CgroupLeaf | undefined;
  #runtime: WaitingRuntime | undefined;

  private constructor(site: CellSite, range: number) {
    this.#site = site;
    this.paths = runPaths(join(site.instance.runtimeDirectory, 'runs', this.id));
    this.firstHostId = site.instance.firstHostId(range);
    this.owner = this.firstHostId + INSIDE_ID;
  }

  /** Throws when something of it cannot be had; then nothing of it is left. */
  static async furnish(site: CellSite, range: number, limits: Limits): Promise<Cell> {
    const cell = new Cell(site, range);
    try {
      await cell.#furnish(limits);
      return cell;
    } catch (error) {
      await cell.remove();
      throw error;
    }
  }

  get leaf(): CgroupLeaf {
    if (this.#leaf === undefined) throw new Error('the cell is not furnished');
    return this.#leaf;
  }

  get runtime(): WaitingRuntime {
    if (this.#runtime === undefined) throw new Error('the cell is not furnished');
    return this.#runtime;
  }

  async #furnish(limits: Limits): Promise<void> {
    const { paths, owner } = this;
    for (const directory of [paths.bundle, paths.inside, paths.view]) await createDirectory(directory, 0o711);
    this.#mounted = true;
    [, this.#leaf] = await Promise.all([
      mountWorkspace(paths, owner),
      this.#site.cgroups.tree.createLeaf(this.id, groupLimits(limits)),
    ]);
    for (const pipe of [paths.stdout, paths.stderr, paths.script]) await chown(pipe, owner, owner);
    this.#runtime = new WaitingRuntime({
      runtime: this.#site.runtime,
      stateDirectory: this.#site.stateDirectory,
      paths,
      containerId: this.id,
      leaf: this.#leaf,
      hidden: this.#site.hidden,
    });
  }

  /** Nothing of a program may run in the cell yet. */
  async place(files: readonly InputFile[]): Promise<void> {
    const made = new Set<string>();
    for (const file of files) await placeInput(this.paths.inside, file, this.owner, made);
  }

  writeBundle(config: object): void {
    writeFileSync(join(this.paths.bundle, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  }

  /** Takes the pipe for a script away, so that the workspace is empty. */
  withoutScriptPipe(): void {
    unlinkSync(this.paths.script);
  }

  /** Ends what still runs in it and removes everything of it. May be called again after it threw. */
  async remove(): Promise<void> {
    const { stateDirectory, runtime } = this.#site;
    await this.#leaf?.kill();
    this.#runtime?.kill();
    this.#runtime?.letGo();
    await this.#runtime?.exit.catch(() => undefined);
    const note = join(stateDirectory, this.id);
    if (existsSync(note)) {
      // Only a runtime that was itself killed leaves its notes about a container behind.
      await runCommand(runtime.program, ['--root', stateDirectory, 'delete', '--force', this.id]).catch(() => '');
      await rm(note, { recursive: true, force: true });
    }
    if (this.#mounted) {
      await unmountWorkspace(this.paths).catch(() => unmountAllUnder(this.paths.bundle));
      this.#mounted = false;
    }
    await this.#leaf?.remove();
    await rm(this.paths.bundle, { recursive: true, force: true });
  }
}

/** Beyond this a file is written in the background; below it a thread pool would cost more than the write into memory. */
const SMALL_FILE = 256 * 1024;

const placeInput = async (workspace: string, file: InputFile, owner: number, made: Set<string>): Promise<void> => {
  const parts = dirname(file.path) === '.' ? [] : dirname(file.path).split('/');
  let directory = workspace;
  for (const part of parts) {
    directory = join(directory, part);
    if (made.has(directory)) continue;
    made.add(directory);
    mkdirSync(directory);
    chmodSync(directory, 0o755);
    chownSync(directory, owner, owner);
  }
  const path = join(workspace, file.path);
  if (file.content.length > SMALL_FILE) await writeFile(path, file.content, { flag: 'wx' });
  else writeFileSync(path, file.content, { flag: 'wx' });
  chmodSync(path, file.mode);
  lchownSync(path, owner, owner);
};
