/** JSON Schema of a settings document, for editors. Guarantees that it knows the keys the merge reads; what it says is help, and the merge alone decides what holds. */
import type { JsonObject } from '../json.ts';
import { LIMITS } from '../limits/limits.ts';
import { MAX_INSTRUCTIONS } from './settings-keys.ts';

const RULES = (what: string): JsonObject => ({
  type: 'array',
  items: { type: 'string', minLength: 1 },
  description: `${what} A rule is Family or Family(specifier); families are Read, Edit, Bash, WebFetch and Mcp.`,
  examples: [['Bash(git push *)', 'Read(.env)', 'WebFetch(domain:example.com)']],
});

const amount = (description: string): JsonObject => ({ type: 'integer', minimum: 1, description });

const PROVIDER: JsonObject = {
  type: 'object',
  description: 'One provider of models. Fields that are not known are read past.',
  properties: {
    name: { type: 'string', description: 'What a person sees instead of the id.' },
    env: {
      type: 'array',
      items: { type: 'string' },
      description:
        "Names that may hold the key, tried in order: of the workspace's sealed secrets, and of nothing else.",
    },
    options: {
      type: 'object',
      properties: {
        baseURL: { type: 'string', format: 'uri', description: 'Where requests go: https and a public host.' },
        apiKey: { type: 'string', description: 'A key written here; a sealed secret is the better place.' },
        region: { type: 'string', description: 'For amazon-bedrock: required.' },
        profile: { type: 'string', description: 'For amazon-bedrock: the operator alone may name one.' },
      },
    },
    models: {
      type: 'object',
      description: 'Models by the name the provider knows each by.',
      additionalProperties: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          limit: {
            type: 'object',
            properties: { context: { type: 'integer', minimum: 1 }, output: { type: 'integer', minimum: 1 } },
          },
          options: { type: 'object', description: 'Put into the request as it stands.' },
        },
      },
    },
  },
};

/** Draft 2020-12. Keys that are not here are read past and reported, so none is forbidden. */
export const SETTINGS_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Bravo settings',
  type: 'object',
  properties: {
    model: { type: 'string', minLength: 1, description: 'The model when nobody chose one.' },
    fallbackModel: {
      type: 'string',
      minLength: 1,
      description: 'Answers, and says so, when the chosen model does not.',
    },
    instructions: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_INSTRUCTIONS,
      description: 'Standing instructions for @bravo. Those of every layer are told, the weakest first.',
    },
    editorMode: { type: 'string', pattern: '^([vV][iI][mM]|[eE][mM][aA][cC][sS])$', description: 'vim or emacs.' },
    env: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Variables by name. Only strings: write "1" and "true".',
    },
    provider: { type: 'object', additionalProperties: PROVIDER, description: 'Providers of models by id.' },
    permissions: {
      type: 'object',
      properties: {
        deny: RULES('Refuses, from every layer.'),
        ask: RULES('Asks, from every layer.'),
        allow: RULES('Answers a question; from a repository only once the person accepted it.'),
        additionalDirectories: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Each is asked about before it opens.',
        },
        defaultMode: { type: 'string', description: 'Read and acted on by nothing.' },
      },
    },
    run: {
      type: 'object',
      properties: {
        scrubEnv: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          description: 'Names of variables kept from programs the agent runs.',
        },
        maxOutput: amount(`Bytes of output shown in a result; ${LIMITS['run-output'].value} unless said.`),
      },
    },
    search: {
      type: 'object',
      properties: {
        maxFiles: amount(`Files a search may walk; ${LIMITS['search-files'].value} unless said.`),
        maxSeconds: amount(`Seconds a search may open files; ${LIMITS['search-seconds'].value} unless said.`),
      },
    },
    limits: {
      type: 'object',
      description: 'What models may use up; of all layers the smallest value holds.',
      properties: {
        personDailyTokens: amount('Tokens of one person in a day (UTC), question and answer.'),
        workspaceDailyTokens: amount('Tokens of the whole workspace in a day (UTC).'),
        conversationTokens: amount('Tokens of one conversation, from its beginning to its end.'),
        treeTokens: amount('Tokens of a conversation and everybody it delegates to.'),
        contextTokens: amount(
          'Tokens a prompt may have before older turns are told as a summary; outranks what the model advertises.',
        ),
        personMonthlyCents: amount('US cents of one person in a month (UTC), by the price table.'),
        workspaceMonthlyCents: amount('US cents of the whole workspace in a month (UTC), by the price table.'),
      },
    },
    vetting: {
      type: 'object',
      properties: { auto: { type: 'boolean', description: 'Of the workspace: a safe verdict releases by itself.' } },
    },
    allowedProviderHosts: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: "Of the operator: hosts besides the public ones that a tenant's provider may name.",
    },
    locked: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      description: 'Keys, such as model or env.A, that no later layer may set. For the operator and admins.',
    },
  },
};
