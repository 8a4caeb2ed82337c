/** Finds steps that would wait for a terminal. A courtesy that saves a deadline and no protection; it must never refuse a name that stands as an argument. */
import { LineRefused } from './line-plan.ts';

const ALTERNATIVES: readonly (readonly [readonly string[], string])[] = [
  [
    ['vi', 'vim', 'nvim', 'emacs', 'nano', 'pico', 'ed', 'micro', 'helix', 'hx', 'kak'],
    'change files with edit_file or write_file',
  ],
  [['less', 'more', 'most'], 'narrow the output with head, tail or grep'],
  [['top', 'htop', 'btop'], 'ask for one reading, such as ps'],
];

/** Options of git itself that take the next word as their value. */
const GIT_VALUES = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--config-env']);

/** `args`: the operands that are plain text; patterns open no editor. */
export function refuseInteractive(program: string, args: readonly string[]): void {
  const name = program.slice(program.lastIndexOf('/') + 1);
  for (const [names, instead] of ALTERNATIVES) {
    if (names.includes(name)) throw new LineRefused('Interactive', instead);
  }
  if (name === 'git') refuseInteractiveGit(args);
}

/** Reading a terminal takes a person's keys, writing to one draws over their screen. */
export function refuseTerminal(path: string): void {
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.');
  const [device, name = '', ...more] = segments;
  if (!path.startsWith('/') || device !== 'dev') return;
  const isTerminal =
    (name.startsWith('tty') && more.length === 0) ||
    (name === 'console' && more.length === 0) ||
    (name === 'pts' && more.length > 0);
  if (isTerminal) throw new LineRefused('Interactive', 'this names a terminal');
}

function refuseInteractiveGit(args: readonly string[]): void {
  let at = 0;
  while (args[at]?.startsWith('-')) at += GIT_VALUES.has(args[at] ?? '') ? 2 : 1;
  const [command, ...rest] = args.slice(at);
  const end = rest.indexOf('--');
  const options = (end < 0 ? rest : rest.slice(0, end)).filter((word) => word.startsWith('-'));
  const has = (letters: string, ...long: readonly string[]): boolean =>
    options.some((option) => (option.startsWith('--') ? isLong(option, long) : hasLetter(option, letters)));
  if (command === 'rebase' && has('i', '--interactive')) {
    throw new LineRefused('Interactive', 'rebase without -i');
  }
  if (command === 'add' && has('ip', '--interactive', '--patch')) {
    throw new LineRefused('Interactive', 'name the paths to add');
  }
  const hasMessage = has(
    'mFC',
    '--message',
    '--file',
    '--reuse-message',
    '--no-edit',
    '--fixup',
    '--dry-run',
    '--help',
  );
  if (command === 'commit' && !hasMessage && !options.includes('-h')) {
    throw new LineRefused('Interactive', 'give the message with -m');
  }
}

/** Short options may be run together: `-am` is `-a -m`. */
function hasLetter(option: string, letters: string): boolean {
  return [...option.slice(1)].some((letter) => letters.includes(letter));
}

function isLong(option: string, names: readonly string[]): boolean {
  const equals = option.indexOf('=');
  return names.includes(equals < 0 ? option : option.slice(0, equals));
}
