/** What a person gave and a running stack does not go by is named, and a value no service would take is refused before anything starts. */
import { describe, expect, it } from '@jest/globals';
import { decidedAnyway, howToApply, mistakesIn, notInForce } from './given-settings.ts';
import type { Plan } from './plan.ts';
import { services } from './service-catalogue.ts';

const planWith = (over: Partial<Plan>, env: Readonly<Record<string, string>> = {}): Plan =>
  ({
    ports: { gateway: 8300 },
    embeddedPostgres: { port: 1 },
    databaseUrl: 'postgresql://admin:own@127.0.0.1:1/bravo',
    services: services.map(({ app }) => ({ name: app, spawn: { env: { BRAVO_ENV: 'development', BRAVO_INSECURE_PODS: 'false', BRAVO_NATS_URL: 'nats://127.0.0.1:4000', ...env } } })),
    ...over,
  }) as unknown as Plan;

const external = 'postgresql://me:hush@db/bravo';

describe('what a running stack does not go by', () => {
  it.each([
    ['nothing was asked for', {}, false, {}, {}, []],
    ['the port it has', { BRAVO_PORT: '8300' }, false, {}, {}, []],
    ['another port', { BRAVO_PORT: '9000' }, false, {}, {}, ['BRAVO_PORT']],
    ['an external database', { BRAVO_DATABASE_URL: external }, false, {}, {}, ['BRAVO_DATABASE_URL']],
    ['the external database it has', { BRAVO_DATABASE_URL: external }, false, { embeddedPostgres: null, databaseUrl: external }, {}, []],
    ['another external database', { BRAVO_DATABASE_URL: external }, false, { embeddedPostgres: null, databaseUrl: `${external}2` }, {}, ['BRAVO_DATABASE_URL']],
    ['an external NATS', { BRAVO_NATS_URL: 'nats://other:1' }, false, {}, {}, ['BRAVO_NATS_URL']],
    ['the NATS it has', { BRAVO_NATS_URL: 'nats://127.0.0.1:4000' }, false, {}, {}, []],
    ['insecure pods', {}, true, {}, {}, ['--insecure-pods']],
    ['the insecure pods it has', {}, true, {}, { BRAVO_INSECURE_PODS: 'true' }, []],
    ['production', { BRAVO_ENV: 'production' }, false, {}, {}, ['BRAVO_ENV']],
    ['a tunable', { BRAVO_LOG_LEVEL: 'debug' }, false, {}, {}, ['BRAVO_LOG_LEVEL']],
    ['the tunable it has', { BRAVO_LOG_LEVEL: 'debug' }, false, {}, { BRAVO_LOG_LEVEL: 'debug' }, []],
    ['a model', { BRAVO_MODEL_NAME: 'm', BRAVO_PORT: '1' }, true, {}, {}, ['--insecure-pods', 'BRAVO_MODEL_NAME', 'BRAVO_PORT']],
    ['a variable of nobody', { BRAVO_HOME: '/x', BRAVO_SOMETHING: 'y', PATH: '/bin' }, false, {}, {}, []],
    ['an empty variable', { BRAVO_PORT: '' }, false, {}, {}, []],
  ] as const)('asked for: %s', (_what, environment, insecurePods, over, env, missed) =>
    expect(notInForce(planWith(over as Partial<Plan>, env), { environment, insecurePods })).toEqual(missed));

  it('is named with what to type, and without a value', () =>
    expect(howToApply(['--insecure-pods', 'BRAVO_DATABASE_URL'])).toBe('./bravo down && BRAVO_DATABASE_URL=… ./bravo up --insecure-pods'));
});

describe('a mistake in what was given', () => {
  it.each([
    [{ BRAVO_LOG_LEVEL: 'loud' }, [/^BRAVO_LOG_LEVEL is not usable \(it is "loud"\): .*Least level that is logged\.$/]],
    [{ BRAVO_ENV: 'staging' }, [/^BRAVO_ENV is not usable/]],
    [{ BRAVO_LOG_LEVEL: 'loud', BRAVO_CHECKPOINT_SECONDS: 'soon' }, [/^BRAVO_CHECKPOINT_SECONDS/, /^BRAVO_LOG_LEVEL/]],
    [{ BRAVO_LOG_LEVEL: 'debug', BRAVO_HTTP_PORT: 'x', BRAVO_PORT: 'x' }, []],
  ] as const)('%j', (environment, sentences) =>
    expect(mistakesIn(environment)).toEqual(sentences.map((sentence) => expect.stringMatching(sentence))));

  it('is no mistake where the value is not used; that is said', () =>
    expect(decidedAnyway({ BRAVO_HTTP_PORT: '1', BRAVO_INSECURE_PODS: 'yes', BRAVO_LOG_LEVEL: 'debug', BRAVO_NATS_URL: 'nats://x:1' })).toEqual(['BRAVO_HTTP_PORT', 'BRAVO_INSECURE_PODS']));
});
