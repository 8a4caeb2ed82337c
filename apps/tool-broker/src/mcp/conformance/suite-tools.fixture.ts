/** The tools the conformance suite calls, as data and behaviour; names, keys and texts are the suite's. For the conformance build only. */

export type Json = Record<string, unknown>;

/** What one call may use of its request. */
export interface CallContext {
  readonly responses: Readonly<Record<string, Json>> | undefined;
  readonly state: Json | undefined;
  readonly capabilities: Json;
  readonly progressToken: string | number | undefined;
  mint(state: Json): Promise<string>;
  notify(notification: { method: string; params: Json }): Promise<void>;
  log(level: string, data: unknown): Promise<void>;
  elicit(params: Json): Promise<Json>;
  sample(params: Json): Promise<Json>;
  changed(kind: 'tools' | 'prompts'): void;
  closeStream?: (() => void) | undefined;
}

export interface SuiteTool {
  readonly name: string;
  readonly inputSchema: Json;
  /** Not offered to revisions before 2026-07-28. */
  readonly modern: boolean;
  run(given: Json, context: CallContext): Promise<Json>;
}

export const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';

const object = (properties: Json = {}, required?: readonly string[]): Json => ({
  type: 'object',
  properties,
  ...(required ? { required } : {}),
});
const string = { type: 'string' };
export const text = (words: string): Json => ({ content: [{ type: 'text', text: words }] });
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
export const elicitation = (message: string, properties: Json, required: readonly string[]): Json => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema: { type: 'object', properties, required } },
});
const sampling = (words: string, maxTokens: number): Json & { params: Json } => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens },
});
const ROOTS = { method: 'roots/list', params: {} };
export const need = (inputRequests: Json, requestState?: string): Json => ({
  resultType: 'input_required',
  inputRequests,
  ...(requestState === undefined ? {} : { requestState }),
});

/** What the client's person filled in under that key, where they accepted. */
export const filledIn = (responses: CallContext['responses'], key: string): Json | undefined => {
  const response = responses?.[key];
  return response?.['action'] === 'accept' && typeof response['content'] === 'object'
    ? (response['content'] as Json)
    : undefined;
};
const contentText = (result: Json | undefined): string =>
  ((result?.['content'] as { text?: string } | undefined)?.text ?? '').toString();

const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: string, city: string } } },
  properties: {
    name: string,
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: string,
    email: string,
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};
const DEFAULTS = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const titled = (what: string) =>
  ['First', 'Second', 'Third'].map((nth, at) => ({ const: `value${at + 1}`, title: `${nth} ${what}` }));
const OPTIONS = ['option1', 'option2', 'option3'];
const ENUMS = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: {
    type: 'string',
    enum: ['opt1', 'opt2', 'opt3'],
    enumNames: ['Option One', 'Option Two', 'Option Three'],
  },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
};
const askForm = async (c: CallContext, message: string, properties: Json): Promise<Json> => {
  const r = await c.elicit({ mode: 'form', message, requestedSchema: { type: 'object', properties, required: [] } });
  return text(`Elicitation completed: action=${String(r['action'])}, content=${JSON.stringify(r['content'] ?? {})}`);
};

const image = { type: 'image', data: PNG, mimeType: 'image/png' };
const resource = (uri: string, mimeType: string, words: string) => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});

type Row = readonly [name: string, inputSchema: Json, run: SuiteTool['run']];

const BOTH: readonly Row[] = [
  ['test_simple_text', object(), async () => text('This is a simple text response for testing.')],
  ['test_image_content', object(), async () => ({ content: [image] })],
  ['test_audio_content', object(), async () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] })],
  [
    'test_embedded_resource',
    object(),
    async () => ({
      content: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
    }),
  ],
  [
    'test_multiple_content_types',
    object(),
    async () => ({
      content: [
        { type: 'text', text: 'Multiple content types test:' },
        image,
        resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
      ],
    }),
  ],
  [
    'test_tool_with_logging',
    object(),
    async (_given, c) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await c.log('info', words);
        await wait(50);
      }
      return text('logged');
    },
  ],
  [
    'test_error_handling',
    object(),
    async () => ({ ...text('This tool intentionally returns an error for testing'), isError: true }),
  ],
  [
    'test_tool_with_progress',
    object(),
    async (_given, c) => {
      for (const progress of [0, 50, 100]) {
        if (c.progressToken !== undefined)
          await c.notify({
            method: 'notifications/progress',
            params: { progressToken: c.progressToken, progress, total: 100 },
          });
        await wait(50);
      }
      return text('progress done');
    },
  ],
  [
    'test_sampling',
    object({ prompt: string }, ['prompt']),
    async (given, c) =>
      text(`LLM response: ${contentText(await c.sample(sampling(String(given['prompt']), 100).params))}`),
  ],
  [
    'test_elicitation',
    object({ message: string }, ['message']),
    async (given, c) => {
      const properties = {
        username: { type: 'string', description: "User's response" },
        email: { type: 'string', description: "User's email address" },
      };
      const form = elicitation(String(given['message']), properties, ['username', 'email'])['params'] as Json;
      return text(`User response: ${JSON.stringify(await c.elicit(form))}`);
    },
  ],
  ['test_elicitation_sep1034_defaults', object(), async (_given, c) => askForm(c, 'Defaults', DEFAULTS)],
  ['test_elicitation_sep1330_enums', object(), async (_given, c) => askForm(c, 'Enums', ENUMS)],
  ['json_schema_2020_12_tool', SCHEMA_2020, async (given) => text(JSON.stringify(given))],
  [
    'test_reconnection',
    object(),
    async (_given, c) => {
      await wait(100);
      c.closeStream?.();
      await wait(100);
      return text('Reconnection test completed');
    },
  ],
  [
    'test_x_mcp_header',
    object({ region: { type: 'string', 'x-mcp-header': 'Region' }, level: { type: 'integer' } }),
    async (given) => text(`region=${String(given['region'] ?? '<none>')}`),
  ],
];

const NAME = elicitation('What is your name?', { name: string }, ['name']);

const MODERN: readonly Row[] = [
  [
    'test_missing_capability',
    object(),
    async (_given, c) => (c.responses?.['q'] ? text('ok') : need({ q: sampling('ping', 16) })),
  ],
  ['test_streaming_elicitation', object(), async () => text('no requests on this stream')],
  [
    'test_logging_tool',
    object(),
    async (_given, c) => {
      await c.log('info', 'only when logLevel was set');
      return text('done');
    },
  ],
  ['test_trigger_tool_change', object(), async (_given, c) => (c.changed('tools'), text('ok'))],
  ['test_trigger_prompt_change', object(), async (_given, c) => (c.changed('prompts'), text('ok'))],
  [
    'test_input_required_result_elicitation',
    object(),
    async (_given, c) => {
      const name = filledIn(c.responses, 'user_name')?.['name'];
      return typeof name === 'string' ? text(`Hello, ${name}!`) : need({ user_name: NAME });
    },
  ],
  [
    'test_input_required_result_sampling',
    object(),
    async (_given, c) =>
      c.responses?.['capital_question']
        ? text(contentText(c.responses['capital_question']) || 'ok')
        : need({ capital_question: sampling('What is the capital of France?', 100) }),
  ],
  [
    'test_input_required_result_list_roots',
    object(),
    async (_given, c) => {
      const roots = c.responses?.['client_roots']?.['roots'] as readonly { uri: string }[] | undefined;
      return roots ? text(`roots: ${roots.map(({ uri }) => uri).join(', ')}`) : need({ client_roots: ROOTS });
    },
  ],
  [
    'test_input_required_result_request_state',
    object(),
    async (_given, c) =>
      c.state && filledIn(c.responses, 'confirm')
        ? text('state-ok')
        : need({ confirm: elicitation('Please confirm', { ok: { type: 'boolean' } }, ['ok']) }, await c.mint({ s: 1 })),
  ],
  [
    'test_input_required_result_multiple_inputs',
    object(),
    async (_given, c) =>
      c.responses?.['user_name'] && c.responses['greeting'] && c.responses['client_roots']
        ? text('all inputs received')
        : need(
            { user_name: NAME, greeting: sampling('Generate a greeting', 50), client_roots: ROOTS },
            await c.mint({ s: 1 }),
          ),
  ],
  [
    'test_input_required_result_multi_round',
    object(),
    async (_given, c) => {
      if (!c.state)
        return need(
          { step1: elicitation('Step 1: What is your name?', { name: string }, ['name']) },
          await c.mint({ step: 1 }),
        );
      if (c.state['step'] === 1) {
        const asked = elicitation('Step 2: What is your favorite color?', { color: string }, ['color']);
        return need({ step2: asked }, await c.mint({ step: 2, name: filledIn(c.responses, 'step1')?.['name'] }));
      }
      return text(`${String(c.state['name'])} likes ${String(filledIn(c.responses, 'step2')?.['color'])}`);
    },
  ],
  [
    'test_input_required_result_tampered_state',
    object(),
    async (_given, c) =>
      c.state
        ? text('state verified')
        : need({ confirm: elicitation('Please confirm', { ok: { type: 'boolean' } }, ['ok']) }, await c.mint({ t: 1 })),
  ],
  [
    'test_input_required_result_capabilities',
    object(),
    async (_given, c) => {
      if (c.responses) return text('ok');
      const { capabilities: can } = c;
      return need({
        ...(can['sampling'] ? { s: sampling('hi', 10) } : {}),
        ...(can['elicitation'] ? { e: elicitation('name?', { name: string }, ['name']) } : {}),
        ...(can['roots'] ? { r: ROOTS } : {}),
      });
    },
  ],
];

export const SUITE_TOOLS: ReadonlyMap<string, SuiteTool> = new Map(
  [...BOTH.map((row) => [row, false] as const), ...MODERN.map((row) => [row, true] as const)].map(
    ([[name, inputSchema, run], modern]) => [name, { name, inputSchema, modern, run }],
  ),
);
