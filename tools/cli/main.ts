/** Entry of ./bravo: finds the command, runs it, and turns any failure into a sentence and an honest exit code. */
import { ConfigError, EXIT_CONFIGURATION } from '@bravo/config';
import { CommandError, type Command } from './command.ts';

// Loaded when asked for: `up` must work before anything is generated or built.
const commands: Readonly<Record<string, () => Promise<{ command: Command }>>> = {
  up: () => import('./commands/up.ts'),
  down: () => import('./commands/down.ts'),
  status: () => import('./commands/status.ts'),
  logs: () => import('./commands/logs.ts'),
  trace: () => import('./commands/trace.ts'),
  test: () => import('./commands/test.ts'),
  demo: () => import('./commands/demo.ts'),
  doctor: () => import('./commands/doctor.ts'),
  token: () => import('./commands/token.ts'),
  attach: () => import('./commands/attach.ts'),
  explain: () => import('./commands/explain.ts'),
  approvals: () => import('./commands/approvals.ts'),
  destinations: () => import('./commands/destinations.ts'),
  grants: () => import('./commands/grants.ts'),
  schedules: () => import('./commands/schedules.ts'),
  models: () => import('./commands/models.ts'),
  sandbox: () => import('./commands/sandbox.ts'),
  images: () => import('./commands/images.ts'),
  bench: () => import('./commands/bench.ts'),
  vectors: () => import('./commands/vectors.ts'),
};

const help = async (): Promise<void> => {
  process.stdout.write('Usage: ./bravo COMMAND [options]\n\n');
  for (const load of Object.values(commands)) {
    const { command } = await load();
    process.stdout.write(`  ${command.usage}\n      ${command.summary}\n`);
  }
  process.stdout.write('\nState lives in .bravo/ of the checkout; BRAVO_HOME moves it.\n');
};

const main = async (): Promise<number> => {
  const [name = 'help', ...args] = process.argv.slice(2);
  if (name === 'help' || name === '--help' || name === '-h') {
    await help();
    return 0;
  }
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (load === undefined) throw new CommandError(`There is no command "${name}". "./bravo help" lists them.`, 2);
  const { command } = await load();
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`Usage: ./bravo ${command.usage}\n${command.summary}\n`);
    return 0;
  }
  return command.run({ args, environment: process.env });
};

const exitCodeOf = (error: unknown, code: string): number => {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof ConfigError) return EXIT_CONFIGURATION;
  return code.startsWith('ERR_PARSE_ARGS') ? 2 : 1;
};

const unknownOption = (message: string): string => {
  const [said = message] = message.split('. To specify');
  return `${said}. "./bravo ${process.argv[2] ?? ''} --help" says what there is.`;
};

// Whoever read the output has seen enough of it ("| head"): that is no failure of ours, and nobody is left to be told.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

try {
  process.exitCode = await main();
} catch (error) {
  // parseArgs explains a wrong option in its message; so do our own errors. Anything else is a defect and shows where.
  const code = (error as { code?: string }).code ?? '';
  const meant = error instanceof CommandError || error instanceof ConfigError || code.startsWith('ERR_PARSE_ARGS');
  const { message, stack } = error as Error;
  // Node adds advice about positional arguments to it, which helps nobody here and breaks off in the middle.
  const sentence = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' ? unknownOption(message) : message;
  process.stderr.write(`bravo: ${meant || !process.env['BRAVO_DEBUG'] ? sentence : (stack ?? message)}\n`);
  process.exitCode = exitCodeOf(error, code);
}
