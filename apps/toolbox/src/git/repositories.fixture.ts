/** Repositories made by git itself, with every clock set, and what git says of them. For specs only. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolRequest } from '@bravo/workspace-files';
import { Volume } from '../files/volume.ts';
import { readGit } from './read-git.ts';

export interface Repository {
  readonly volume: Volume;
  readonly directory: string;
  git(...args: string[]): string;
  put(path: string, content: string | Buffer): void;
  commit(message: string, ...args: string[]): void;
  /** What the tool prints. */
  ask(asked: Partial<ToolRequest<'git'>>): Promise<string>;
  answer(asked: Partial<ToolRequest<'git'>>): ReturnType<typeof readGit>;
}

const ALL = {
  repository: '',
  revision: '',
  path: '',
  pattern: '',
  count: 200,
  skip: 0,
  messages: false,
  since: '',
  until: '',
} as const;
/** Nothing of whoever runs the spec, and git's own defaults for what it compares. */
const QUIET = [
  '-c',
  'core.quotePath=false',
  '-c',
  'protocol.file.allow=always',
  '-c',
  'init.defaultBranch=main',
  '-c',
  'commit.gpgsign=false',
];

export const makeRepository = async (root: string): Promise<Repository> => {
  mkdirSync(root, { recursive: true });
  const volume = await Volume.open(root);
  const directory = join(root, 'files');
  let clock = Date.parse('2026-03-01T08:00:00Z') / 1_000;
  const git = (...args: string[]): string => {
    const when = `${clock} +0530`;
    return execFileSync('git', [...QUIET, ...args], {
      cwd: directory,
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...{
          PATH: process.env['PATH'] ?? '',
          HOME: root,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_PAGER: 'cat',
          LC_ALL: 'C.UTF-8',
        },
        ...{ GIT_AUTHOR_NAME: 'Ada Löv', GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_AUTHOR_DATE: when },
        ...{ GIT_COMMITTER_NAME: 'Ada Löv', GIT_COMMITTER_EMAIL: 'ada@example.org', GIT_COMMITTER_DATE: when },
      },
    });
  };
  git('init', '-q');
  const answer: Repository['answer'] = (asked) => readGit(volume, { query: 'log', ...ALL, ...asked });
  return {
    ...{ volume, directory, git, answer },
    put: (path, content) => {
      mkdirSync(dirname(join(directory, path)), { recursive: true });
      writeFileSync(join(directory, path), content);
    },
    commit: (message, ...args) => {
      clock += 3_600 * 7;
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message, ...args);
    },
    ask: async (asked) => (await answer(asked)).sections.map(({ text }) => text).join(''),
  };
};

/** Lines of a program as programs grow: functions, blank lines, indentation. */
export const program = (functions: number, seed: number): string =>
  Array.from({ length: functions }, (_, at) => {
    const body = Array.from({ length: 2 + ((at * seed) % 4) }, (_line, line) => `\tstep_${(at + line * seed) % 5}();`);
    return [`void run_${at}(void)`, '{', ...body, '', '\tif (done)', '\t\treturn;', '}', ''].join('\n');
  }).join('\n');
