/** What a hostile pod sends, by kind: data only, so that the next idea is one more entry. */

export const TOOL_NAMES = ['shell', 'run', 'Execute_Script', 'execute_script ', 'platform__execute_script', '__proto__', 'constructor', 'toString', '', 'a\u0000b', '😀'.repeat(70)];

/** Arguments execute_script does not declare; the values are what would help. */
export const UNDECLARED = (otherConversation: string): readonly Readonly<Record<string, unknown>>[] => [
  { approved: true },
  { trust_output: true },
  { approval_id: 'apr_1' },
  { user_id: 'usr_1' },
  { conversation_id: otherConversation },
  { workspace_id: 'ws_1' },
  { constructor: {} },
  { mode: 'coworker' },
  { network: true },
  { '': '' },
];

export const PATHS = (otherConversation: string): readonly string[] => ['../../etc/passwd', '/etc/passwd', '//etc/passwd', 'a/../../x', '..\\..\\x', 'a\u0000b', `../${otherConversation}/a.txt`, '/proc/self/environ', '.', '．．/x'];

export const MISSHAPEN_READS: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['a limit of -1', { path: 'a', limit: -1 }],
  ['a limit of 1e308', { path: 'a', limit: 1e308 }],
  ['a path that is a list', { path: ['a'] }],
  ['no path', {}],
];

export const REFERENCES = (otherConversation: string): readonly string[] => ['ref:1', 'ref:0', 'ref:-1', 'ref:99999999999', 'ref:2147483648', 'ref:01', 'ref:1 ', 'ref:１', 'REF:1', `${otherConversation}:ref:1`, `ref:1@${otherConversation}`, `ref:${otherConversation}`];

/** An approved program, and every argument of it changed by as little as makes it another. */
export const PROGRAM = { language: 'bash', code: 'cat in.txt; echo $A', files: ['in.txt'], env: { A: '1' }, timeout_seconds: 30, memory_mb: 128, why: 'to see it' } as const;
export const PROGRAM_CHANGES: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['language', { language: 'python' }],
  ['code', { code: 'cat in.txt; echo $A ' }],
  ['files', { files: ['in2.txt'] }],
  ['files, one more', { files: ['in.txt', 'in2.txt'] }],
  ['the name in env', { env: { B: '1' } }],
  ['the value in env', { env: { A: '2' } }],
  ['timeout_seconds', { timeout_seconds: 31 }],
  ['memory_mb', { memory_mb: 129 }],
];

/** Requests that could carry an answer, or could be taken for one. */
export const ANSWERING_METHODS = ['elicitation/create', 'elicitation/respond', 'elicitation/complete', 'tasks/update', 'tasks/result', 'tasks/get', 'tasks/list', 'tasks/cancel', 'approvals/approve', 'approvals/resolve', 'sampling/createMessage', 'resources/read', 'prompts/get', 'completion/complete', 'roots/list', 'logging/setLevel', 'subscriptions/listen', 'server/discover'];
export const ANSWERING_NOTIFICATIONS = ['notifications/elicitation/complete', 'notifications/tasks/status', 'notifications/approved', 'notifications/progress', 'notifications/cancelled'];

export const REST_ROUTES = (ownConversation: string): readonly (readonly [string, string])[] => [
  ['GET', '/bravo/conversations'],
  ['GET', `/bravo/conversations/${ownConversation}`],
  ['DELETE', `/bravo/conversations/${ownConversation}`],
  ['POST', `/bravo/conversations/${ownConversation}/messages`],
  ['GET', '/bravo/approvals'],
  ['GET', '/audit'],
  ['PUT', '/bravo/config'],
  ['GET', '/members'],
];
