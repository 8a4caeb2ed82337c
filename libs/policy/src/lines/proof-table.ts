/** The programs whose calls can be proven to be plain reads. Guarantees that an option is here only where no implementation reads, writes or runs anything more for it; it must never list what is bad instead of what is known to be harmless. */

export interface ProvableProgram {
  /** Options that change nothing about what is read, spelled exactly. */
  readonly plain: ReadonlySet<string>;
  /** Options with a value, glued or in the next word; the value is never a path. */
  readonly valued: ReadonlySet<string>;
  /** Options that read each path as a tree; without a path nobody knows which. */
  readonly recursive: ReadonlySet<string>;
  /** `-20` is a count. */
  readonly takesCount: boolean;
  /** How many operands are the instruction (grep's pattern) and no files. */
  readonly instructions: number;
  /** Whether operands past the instruction are files it reads; otherwise there may be none. */
  readonly readsFiles: boolean;
  /** A lone `-` is standard input everywhere. Where some implementation opens a file of that name, it counts as one. */
  readonly dashIsInput: boolean;
}

function program(row: {
  plain?: string;
  valued?: string;
  recursive?: string;
  takesCount?: true;
  instructions?: number;
  readsFiles?: true;
  dashIsInput?: true;
}): ProvableProgram {
  const words = (text = ''): ReadonlySet<string> => new Set(text.split(' ').filter((word) => word !== ''));
  return {
    plain: words(row.plain),
    valued: words(row.valued),
    recursive: words(row.recursive),
    takesCount: row.takesCount ?? false,
    instructions: row.instructions ?? 0,
    readsFiles: row.readsFiles ?? false,
    dashIsInput: row.dashIsInput ?? false,
  };
}

const HEAD_AND_TAIL = program({
  plain: '-q -v --quiet --silent --verbose',
  valued: '-c -n --bytes --lines',
  takesCount: true,
  readsFiles: true,
});

/**
 * Left out on purpose: `wc --files0-from`, `tail -f` and its kin (they read names, or never end); of grep `-e` and `-f`
 * (they move the pattern, or read one), `-R` and `-S` (they follow links out of the tree), `-d` and `-D`, `--color` and
 * `--context` (whose value is optional here and there). Never here: anything that takes a program or an output file as an
 * argument (sed, awk, perl, python, ruby, shells, sort, uniq, tee, dd, xargs, find, git).
 */
export const PROVABLE_PROGRAMS: ReadonlyMap<string, ProvableProgram> = new Map([
  [
    'wc',
    program({
      plain: '-c -l -m -w -L --bytes --chars --lines --words --max-line-length',
      readsFiles: true,
    }),
  ],
  ['head', HEAD_AND_TAIL],
  ['tail', HEAD_AND_TAIL],
  [
    'cut',
    program({
      plain: '-s -n --complement --only-delimited',
      valued: '-b -c -f -d --bytes --characters --fields --delimiter --output-delimiter',
      readsFiles: true,
      dashIsInput: true,
    }),
  ],
  [
    'tr',
    program({
      plain: '-c -C -d -s -t -u --complement --delete --squeeze-repeats --truncate-set1',
      instructions: 2,
    }),
  ],
  [
    'grep',
    program({
      plain:
        '-i -v -n -c -l -L -o -q -s -h -H -w -x -a -b -E -F -G -P --ignore-case --invert-match --line-number --count ' +
        '--files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --no-filename ' +
        '--with-filename --word-regexp --line-regexp --text --byte-offset --extended-regexp --fixed-strings ' +
        '--basic-regexp --perl-regexp',
      valued: '-A -B -C -m --after-context --before-context --max-count --include --exclude',
      recursive: '-r --recursive',
      takesCount: true,
      instructions: 1,
      readsFiles: true,
      dashIsInput: true,
    }),
  ],
  ['basename', program({ plain: '-a', valued: '-s', instructions: 2 })],
  ['dirname', program({ instructions: 1 })],
  ['pwd', program({ plain: '-L -P' })],
]);
