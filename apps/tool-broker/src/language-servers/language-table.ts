/** Which language server answers for which file. Guarantees that a server is named by this table alone, and never by anything in a conversation's files. */
import { z } from 'zod';

export interface LanguageServer {
  /** What a yes is kept for. */
  readonly language: string;
  /** As people and models know it. */
  readonly title: string;
  /** Of the file names it answers for, in lower case and without the dot, with the protocol's name of the language. */
  readonly extensions: Readonly<Record<string, string>>;
  /** Absolute path of a program in the image of the language servers, and its words. */
  readonly argv: readonly string[];
  /** `initializationOptions` of the protocol. */
  readonly options: Readonly<Record<string, unknown>>;
}

const BIN = '/usr/local/bin';

/** The heap of each of the two processes, inside what the sandbox lets the whole have. */
const TSSERVER_MB = 640;

export const BUILT_IN: readonly LanguageServer[] = [
  {
    language: 'typescript',
    title: 'typescript-language-server',
    extensions: {
      ts: 'typescript',
      mts: 'typescript',
      cts: 'typescript',
      tsx: 'typescriptreact',
      js: 'javascript',
      mjs: 'javascript',
      cjs: 'javascript',
      jsx: 'javascriptreact',
    },
    argv: [`${BIN}/typescript-language-server`, '--stdio'],
    // The copy of the image and no other: one among the files would be a program of the files' own.
    options: {
      maxTsServerMemory: TSSERVER_MB,
      disableAutomaticTypingAcquisition: true,
      tsserver: { path: '/opt/language-servers/node_modules/typescript/lib/tsserver.js', useSyntaxServer: 'never' },
    },
  },
  {
    language: 'python',
    title: 'pyright',
    extensions: { py: 'python', pyi: 'python' },
    argv: [`${BIN}/pyright-langserver`, '--stdio'],
    options: {},
  },
  {
    language: 'go',
    title: 'gopls',
    extensions: { go: 'go' },
    argv: ['/usr/bin/gopls'],
    options: {},
  },
  {
    language: 'rust',
    title: 'rust-analyzer',
    extensions: { rs: 'rust' },
    argv: ['/usr/bin/rust-analyzer'],
    options: {},
  },
];

const NAME = /^[a-z][a-z0-9+#-]{0,31}$/;
const configured = z
  .array(
    z.strictObject({
      language: z.string().regex(NAME),
      title: z.string().min(1).max(64),
      extensions: z.record(z.string().regex(/^[a-z0-9_+-]{1,16}$/), z.string().regex(NAME)),
      argv: z
        .array(z.string().min(1).max(4_096))
        .min(1)
        .max(32)
        .refine(([program = '']) => program.startsWith('/') && !program.split('/').includes('..'), {
          message: 'the first word is the absolute path of a program in the image of the language servers',
        }),
      options: z.record(z.string(), z.unknown()).default({}),
    }),
  )
  .max(32);

export type LanguageTable = readonly LanguageServer[];

/**
 * The built-in servers and what an operator adds; one under a name of the table stands in its place.
 * @param text a JSON array of servers; empty for none.
 * @throws Error that says what is wrong with it.
 */
export const readLanguageTable = (text: string): LanguageTable => {
  if (text.trim() === '') return BUILT_IN;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error('BRAVO_LANGUAGE_SERVERS is no JSON. It is an array of {language, title, extensions, argv}.');
  }
  const read = configured.safeParse(value);
  if (!read.success) throw new Error(`BRAVO_LANGUAGE_SERVERS cannot be used: ${z.prettifyError(read.error)}`);
  const names = read.data.map(({ language }) => language);
  return [...BUILT_IN.filter(({ language }) => !names.includes(language)), ...read.data];
};

/** By the ending of the name alone; later rows first, so that an operator's may take an ending over. */
export const serverOf = (table: LanguageTable, path: string): LanguageServer | undefined =>
  [...table].reverse().find(({ extensions }) => Object.hasOwn(extensions, extensionOf(path)));

export const extensionOf = (path: string): string => /\.([^./]+)$/.exec(path.toLowerCase())?.[1] ?? '';
