/** Finds what a built program really imports: its own files one by one, and the npm packages it takes them from. */
import path from 'node:path';
import { build, type Plugin } from 'esbuild';

export interface TracedProgram {
  /** Files of the checkout outside node_modules, relative to its root, sorted. */
  readonly files: readonly string[];
  /** Package directories relative to the root, sorted; nested ones stay where they are. */
  readonly packages: readonly string[];
  /** Files of packages that are really imported, relative to the root. */
  readonly packageFiles: ReadonlySet<string>;
}

const STDIN = 'further.mjs';
const OWN_LOOKUP = 'bravo-own-lookup';

/** What cannot be found is an optional part that is not installed: it is left out here as it is missing when the program runs. */
const missingIsOptional: Plugin = {
  name: 'missing-is-optional',
  setup: ({ onResolve, resolve }) => {
    onResolve({ filter: /.*/ }, async ({ path: asked, kind, importer, resolveDir, pluginData }) => {
      if (kind === 'entry-point' || pluginData === OWN_LOOKUP) return undefined;
      const found = await resolve(asked, { kind, importer, resolveDir, pluginData: OWN_LOOKUP });
      return found.errors.length > 0 ? { path: asked, external: true } : found;
    });
  },
};

export const traceProgram = async (
  root: string,
  entries: readonly string[],
  further: readonly string[] = [],
): Promise<TracedProgram> => {
  if (entries.length === 0) return { files: [], packages: [], packageFiles: new Set() };
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: entries.map((entry) => path.join(root, entry)),
    ...(further.length > 0 && {
      stdin: { contents: further.map((name) => `import '${name}';`).join('\n'), resolveDir: root, sourcefile: STDIN },
    }),
    bundle: true,
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    outdir: 'traced',
    logLevel: 'silent',
    loader: { '.node': 'empty', '.wasm': 'empty' },
    plugins: [missingIsOptional],
  });
  const files: string[] = [];
  const packages = new Set<string>();
  const packageFiles = new Set<string>();
  for (const input of Object.keys(metafile.inputs).filter((each) => !each.startsWith('(') && each !== STDIN)) {
    const directory = /^(?:.*node_modules\/)(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
    if (directory === undefined) files.push(input);
    else {
      packages.add(directory);
      packageFiles.add(input);
    }
  }
  return { files: files.sort(), packages: [...packages].sort(), packageFiles };
};
