/** The only place that reads the environment: every variable of an app, checked once, with one sentence per mistake. */
import { type ConfigOf, type Settings } from './setting.ts';

/** Thrown with every mistake at once, so that a broken set-up is mended in one go. */
export class ConfigError extends Error {
  readonly mistakes: readonly string[];
  constructor(app: string, mistakes: readonly string[]) {
    super(`${app} cannot start, its configuration has ${mistakes.length} mistake(s):\n- ${mistakes.join('\n- ')}`);
    this.name = 'ConfigError';
    this.mistakes = mistakes;
  }
}

/** An empty variable counts as absent: a zero value must never mean something by accident. */
export const loadConfig = <S extends Settings>(
  app: string,
  settings: S,
  environment: Readonly<Record<string, string | undefined>>,
): ConfigOf<S> => {
  const mistakes: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, { variable, schema, description, secret }] of Object.entries(settings)) {
    const raw = environment[variable];
    const value = raw === '' ? undefined : raw;
    const result = schema.safeParse(value);
    if (result.success) {
      config[name] = result.data;
    } else if (value === undefined) {
      mistakes.push(`${variable} is not set. ${description}`);
    } else {
      const reasons = result.error.issues.map((issue) => issue.message).join('; ');
      mistakes.push(
        `${variable} is not usable (${secret ? 'its value is a secret and is not shown' : `it is ${JSON.stringify(value)}`}): ${reasons}. ${description}`,
      );
    }
  }
  if (mistakes.length > 0) throw new ConfigError(app, mistakes);
  return Object.freeze(config) as ConfigOf<S>;
};

/** EX_CONFIG of sysexits.h: whoever started the process knows by it that starting it again as it is leads nowhere. */
export const EXIT_CONFIGURATION = 78;

/** For the entry of a process: its own environment, or its mistakes on stderr and the end. */
export const configureProcess = <S extends Settings>(app: string, settings: S): ConfigOf<S> => {
  try {
    return loadConfig(app, settings, process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(EXIT_CONFIGURATION);
  }
};
