/** What a person gave `./bravo` in the environment: whether it is usable, and whether a running stack goes by it. Shows no value. */
import { APP_SETTINGS, ConfigError, loadConfig, type Setting } from '@bravo/config';
import type { Plan } from './plan.ts';
import { services } from './service-catalogue.ts';
import { isDecided } from './service-environment.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export interface Given {
  readonly environment: Environment;
  readonly insecurePods: boolean;
}

const declared = (): Map<string, { app: string; declaration: Setting }> => {
  const found = new Map<string, { app: string; declaration: Setting }>();
  for (const { app } of services) {
    for (const declaration of Object.values<Setting>(APP_SETTINGS[app])) found.set(declaration.variable, { app, declaration });
  }
  return found;
};

const givenNames = (environment: Environment): string[] => [...declared().keys()].filter((name) => environment[name]).sort();

/** Read by `./bravo` itself and handed on in another form. */
const ownToRead = ['BRAVO_DATABASE_URL', 'BRAVO_NATS_URL', 'BRAVO_NATS_USER', 'BRAVO_NATS_PASSWORD', 'BRAVO_ENV', 'BRAVO_POD_PROGRAM'];

/** One sentence per value that a service would refuse, so that nothing is built or started for it. */
export const mistakesIn = (environment: Environment): string[] =>
  givenNames(environment)
    .filter((name) => name === 'BRAVO_ENV' || !isDecided(name))
    .flatMap((name) => {
      const { app, declaration } = declared().get(name) ?? {};
      if (app === undefined || declaration === undefined) return [];
      try {
        loadConfig(app, { given: declaration }, environment);
        return [];
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return [...error.mistakes];
      }
    });

/** Names a person may have set in the hope of a change that `./bravo` does not let them make. */
export const decidedAnyway = (environment: Environment): string[] =>
  givenNames(environment).filter((name) => isDecided(name) && !ownToRead.includes(name));

/** What was asked for and is not how the stack of this plan runs. */
export const notInForce = (plan: Plan, { environment, insecurePods }: Given): string[] => {
  const missed = new Set<string>();
  const expect = (name: string, inForce: boolean): void => {
    if (environment[name] && !inForce) missed.add(name);
  };
  expect('BRAVO_PORT', Number(environment['BRAVO_PORT']) === plan.ports['gateway']);
  expect('BRAVO_DATABASE_URL', plan.embeddedPostgres === null && environment['BRAVO_DATABASE_URL'] === plan.databaseUrl);
  const handedOn = givenNames(environment).filter((name) => name !== 'BRAVO_DATABASE_URL');
  for (const { app } of services) {
    const running = plan.services.find(({ name }) => name === app)?.spawn.env ?? {};
    const variables = Object.values<Setting>(APP_SETTINGS[app]).map(({ variable }) => variable);
    for (const name of handedOn) if (variables.includes(name)) expect(name, running[name] === environment[name]);
    if (insecurePods && variables.includes('BRAVO_INSECURE_PODS') && running['BRAVO_INSECURE_PODS'] !== 'true') missed.add('--insecure-pods');
  }
  return [...missed].sort();
};

/** What to type to have it; values are left out, because some are secrets and the person knows them. */
export const howToApply = (names: readonly string[]): string => {
  const variables = names.filter((name) => !name.startsWith('--')).map((name) => `${name}=… `);
  const options = names.filter((name) => name.startsWith('--')).map((name) => ` ${name}`);
  return `./bravo down && ${variables.join('')}./bravo up${options.join('')}`;
};
