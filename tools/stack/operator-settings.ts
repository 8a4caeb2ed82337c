/** The variables `./bravo` itself reads, once: what the reference and README tell, and what a test holds the code against. */

export interface OperatorSetting {
  readonly variable: string;
  readonly whenAbsent: string;
  readonly meaning: string;
}

export const OPERATOR_SETTINGS: readonly OperatorSetting[] = [
  {
    variable: 'BRAVO_HOME',
    whenAbsent: '`.bravo` of the checkout',
    meaning: 'Directory with everything a stack keeps; another directory is another stack. Every command reads it.',
  },
  {
    variable: 'BRAVO_PORT',
    whenAbsent: 'the port of the last start, else 8300, else a free one',
    meaning: 'Port of the page and the API on 127.0.0.1. A port that was asked for and is taken is an error.',
  },
  {
    variable: 'BRAVO_ENV',
    whenAbsent: '`development`',
    meaning: '`production` seeds no demo people and refuses their sign-in and `./bravo token`.',
  },
  {
    variable: 'BRAVO_DATABASE_URL',
    whenAbsent: 'the embedded PostgreSQL',
    meaning:
      'PostgreSQL 15 or newer, as `postgresql://user:password@host:5432/database`, for a user that may create roles (CREATEROLE) and schemas; each service gets a role and a schema of its own. Secret.',
  },
  {
    variable: 'BRAVO_NATS_URL',
    whenAbsent: 'a NATS server of our own',
    meaning: 'NATS server with JetStream, for example `nats://127.0.0.1:4222`. Its users and their rights are then yours to set.',
  },
  { variable: 'BRAVO_NATS_USER', whenAbsent: 'none', meaning: 'User of every service there; read only with `BRAVO_NATS_URL`.' },
  { variable: 'BRAVO_NATS_PASSWORD', whenAbsent: 'none', meaning: 'Password of that user. Secret.' },
  {
    variable: 'BRAVO_POD_PROGRAM',
    whenAbsent: 'the agent runtime',
    meaning: 'Whole path of a program in one file that every pod runs with Node in its place; it speaks the pod contract, and nothing is promised of it.',
  },
  { variable: 'BRAVO_DEBUG', whenAbsent: 'off', meaning: 'With any value, an unexpected error of `./bravo` shows where it happened.' },
  {
    variable: 'BRAVO_REQUIRE_SANDBOX',
    whenAbsent: 'off',
    meaning: '`1` makes `./bravo test` fail, instead of skip, where programs cannot be contained.',
  },
  {
    variable: 'BRAVO_RUNTIME_TOKEN',
    whenAbsent: 'none',
    meaning: 'The token a runtime that runs already takes, for `./bravo test --runtime-contract URL`. Secret.',
  },
  { variable: 'BRAVO_PROPERTY_RUNS', whenAbsent: '10000; 20 of a mutant', meaning: 'How many examples each property of the decision is tried with.' },
  { variable: 'BRAVO_MUTATION_SPECS', whenAbsent: 'all', meaning: 'Which specs a mutant is asked; `./bravo test --mutation` sets it itself, from the table of areas.' },
  {
    variable: 'BRAVO_CLUSTER_TOOLS',
    whenAbsent: '`../shared/cluster` beside the checkout',
    meaning: 'Directory with the script of the one-node test cluster, for `./bravo test --cluster`.',
  },
  {
    variable: 'BRAVO_CLUSTER_DIR',
    whenAbsent: 'a directory below the temporary one, removed afterwards',
    meaning: 'Where that test cluster keeps everything; one that runs there already is used and left running.',
  },
  {
    variable: 'BRAVO_TEST_KUBECONFIG',
    whenAbsent: 'the test cluster',
    meaning: 'Kubeconfig of any other cluster that `./bravo test --cluster` is to use; it must have the images and the seccomp profile.',
  },
  {
    variable: 'BRAVO_KEEP_PLATFORM_IMAGES',
    whenAbsent: 'they are removed',
    meaning: '`true` keeps the images that `./bravo test --cluster` built.',
  },
];
