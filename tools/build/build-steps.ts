/** The build as a list: what each step reads, what must exist afterwards, and how it is done. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { prismaCommand } from '../prisma/prisma-command.ts';
import { installedProgram } from '../stack/checkout.ts';
import { compilePackage } from './compile-package.ts';

const run = promisify(execFile);

export interface BuildStep {
  readonly name: string;
  /** Paths from the root of the checkout. */
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  build(): Promise<void>;
}

const tool = async (root: string, directory: string, program: string, args: readonly string[]): Promise<void> => {
  try {
    await run(program.startsWith('/') ? program : installedProgram(program), [...args], {
      cwd: path.join(root, directory),
      maxBuffer: 64 * 1024 * 1024,
      env: { ...process.env, PATH: `${path.join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`, NO_COLOR: '1', FORCE_COLOR: '0' },
    });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    // Some tools colour their output whatever NO_COLOR says, and a log is read without a terminal.
    throw new Error(stripVTControlCharacters(`${stdout}${stderr}`).trim() || message);
  }
};

const packagesIn = (root: string, folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && existsSync(path.join(root, folder, entry.name, 'src')))
    .map(({ name }) => `${folder}/${name}`);

const contractStep = (root: string): BuildStep => ({
  name: 'contracts',
  inputs: ['libs/proto/bravo', 'libs/proto/buf.yaml', 'libs/proto/buf.gen.yaml'],
  outputs: ['libs/proto/src/generated'],
  build: () => tool(root, 'libs/proto', 'buf', ['generate']),
});

const databaseClientStep = (root: string, directory: string): BuildStep => ({
  name: `database client of ${path.basename(directory)}`,
  inputs: [`${directory}/prisma/schema.prisma`, `${directory}/prisma.config.ts`, 'node_modules/prisma/package.json'],
  outputs: [`${directory}/src/generated/prisma/client.ts`],
  build: async () => {
    // Generating reads no database, but the configuration wants a URL to be there.
    await prismaCommand(path.join(root, directory), ['generate'], {
      BRAVO_DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none',
    });
  },
});

const compileStep = (root: string, directory: string): BuildStep => ({
  name: path.basename(directory),
  inputs: [`${directory}/src`, `${directory}/package.json`, '.swcrc', 'node_modules/@swc/core/package.json'],
  outputs: [`${directory}/dist`],
  build: () => compilePackage(root, directory),
});

/** One file without node_modules, because a container sees nothing of the checkout; the app's own script says how it is bundled. */
const oneFileStep = (root: string, app: string, libs: readonly string[]): BuildStep => ({
  name: `${app.replace('-', ' ')} as one file`,
  inputs: [`apps/${app}/src`, `apps/${app}/package.json`, ...libs.map((lib) => `libs/${lib}/src`), 'package-lock.json'],
  outputs: [`apps/${app}/dist/${app}.mjs`],
  build: async () => {
    const manifest = readFileSync(path.join(root, 'apps', app, 'package.json'), 'utf8');
    const { scripts } = JSON.parse(manifest) as { scripts?: { bundle?: string } };
    if (!scripts?.bundle) throw new Error(`apps/${app}/package.json has no "bundle" script.`);
    await tool(root, `apps/${app}`, '/bin/sh', ['-c', scripts.bundle]);
  },
});

const webStep = (root: string): BuildStep => ({
  name: 'web page',
  inputs: ['apps/web', 'package-lock.json'],
  outputs: ['apps/web/dist/index.html'],
  build: () => tool(root, 'apps/web', 'vite', ['build', '--logLevel', 'warn']),
});

/** Stages in order; the steps of one stage do not depend on one another. */
export const buildStages = (root: string): readonly (readonly BuildStep[])[] => {
  const apps = readdirSync(path.join(root, 'apps')).map((name) => `apps/${name}`);
  const withDatabase = apps.filter((directory) => existsSync(path.join(root, directory, 'prisma', 'schema.prisma')));
  const web = existsSync(path.join(root, 'apps', 'web', 'index.html')) ? [webStep(root)] : [];
  return [
    [contractStep(root), ...withDatabase.map((directory) => databaseClientStep(root, directory))],
    [...packagesIn(root, 'libs'), ...packagesIn(root, 'apps')]
      .filter((directory) => directory !== 'apps/web' && directory !== 'libs/testing')
      .map((directory) => compileStep(root, directory)),
    [oneFileStep(root, 'agent-runtime', ['faults']), oneFileStep(root, 'toolbox', ['faults', 'policy', 'workspace-files']), ...web],
  ];
};
