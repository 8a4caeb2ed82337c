/** Runs Prisma's command line with our schema engine in place of the one it would download. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { checkout, installedProgram } from '../stack/checkout.ts';

const run = promisify(execFile);

export const schemaEngine = path.join(checkout, 'tools', 'prisma', 'schema-engine.mjs');

/** Runs in the app's folder, where its prisma.config.ts is. Resolves with what was printed; rejects with it too. */
export const prismaCommand = async (
  directory: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> => {
  try {
    const { stdout, stderr } = await run(installedProgram('prisma'), [...args], {
      cwd: directory,
      maxBuffer: 16 * 1024 * 1024,
      env: {
        ...process.env,
        PATH: `${path.join(checkout, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
        PRISMA_SCHEMA_ENGINE_BINARY: schemaEngine,
        CHECKPOINT_DISABLE: '1',
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        NO_COLOR: '1',
        ...environment,
      },
    });
    return stdout + stderr;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string };
    const said = `${stdout}${stderr}`.trim();
    throw new Error(said === '' ? message : said);
  }
};
