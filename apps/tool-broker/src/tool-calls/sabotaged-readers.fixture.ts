/** What each reader of facts is there for, as data: the edge cases that go wrong where it lies. For specs only. */
import { permissionsOfRole } from '@bravo/policy';
import type { Conversation } from '../conversations/conversation.ts';
import type { FactSources } from './gather-facts.ts';

export interface Sabotage {
  /** The reader by the name the facts' sources give it. */
  readonly reader: string;
  /** How it lies: always with something that lets more happen. */
  readonly lie: (readers: FactSources) => FactSources;
  /** The cases that must go red, and no others. */
  readonly red: readonly string[];
}

const ADMIN = { role: 'admin', permissions: permissionsOfRole('admin') } as const;

export const SABOTAGES: readonly Sabotage[] = [
  {
    reader: 'identity.features',
    lie: (readers) => ({
      ...readers,
      identity: { ...readers.identity, features: async () => ({ bravo: true, code_exec: true }) },
    }),
    red: ['feature-off', 'code-execution-off'],
  },
  {
    reader: 'identity.agentConfig',
    lie: (readers) => ({
      ...readers,
      identity: {
        ...readers.identity,
        agentConfig: async (workspaceId) => {
          const read = await readers.identity.agentConfig(workspaceId);
          return { ...read, config: { ...read.config, enabled: true } };
        },
      },
    }),
    red: ['disabled-since'],
  },
  {
    reader: 'identity.resolveMember',
    lie: (readers) => ({
      ...readers,
      identity: {
        ...readers.identity,
        resolveMember: async (workspaceId, userId) => ({
          ...(await readers.identity.resolveMember(workspaceId, userId)),
          ...ADMIN,
        }),
      },
    }),
    red: ['demoted-since'],
  },
  {
    reader: 'conversations.find: mode',
    lie: withConversation({ mode: 'coworker' }),
    red: ['write-in-ask-mode'],
  },
  {
    reader: 'conversations.find: attended',
    lie: withConversation({ attended: true }),
    red: ['allowed-and-unattended', 'nobody-to-ask'],
  },
  {
    reader: 'conversations.find: context',
    lie: withConversation({ context: { integrity: 'trusted', holdsPrivate: false } }),
    red: ['context-fallen', 'context-private'],
  },
  {
    reader: 'conversations.find: config',
    lie: withConversation(({ config }) => ({
      config: config === 'unknown' ? config : { ...config, deniedTools: [] },
    })),
    red: ['denied-when-it-began'],
  },
  {
    reader: 'conversations.find: settings',
    lie: withConversation({ settings: [] }),
    red: ['denied-by-rule', 'asked-by-rule'],
  },
  {
    reader: 'conversations.find: repository',
    lie: withConversation({ repository: undefined }),
    red: ['denied-by-the-files-before'],
  },
  {
    reader: 'conversations.find: ended',
    lie: withConversation({ ended: false }),
    red: ['ended-since'],
  },
  {
    reader: 'conversations.trustMap',
    lie: (readers) => ({
      ...readers,
      conversations: { ...readers.conversations, trustMap: async () => [{ path: '/', trust: true }] },
    }),
    red: [
      'allowed-and-unattended',
      'context-private',
      'new-path-is-asked-about',
      'write-through-reference',
      'grant-that-is-over',
    ],
  },
  {
    reader: 'slots.refs',
    lie: (readers) => ({ ...readers, slots: { ...readers.slots, refs: async () => [] } }),
    red: ['write-through-reference'],
  },
  {
    reader: 'sandbox.stat',
    lie: (readers) => ({
      ...readers,
      sandbox: {
        ...readers.sandbox,
        stat: async (_who, path) => ({ landing: path, revision: 'r', exists: true, size: 1, kind: 'file' }),
      },
    }),
    red: ['path-that-leaves', 'input-that-is-not-there'],
  },
  {
    reader: 'rulesOf',
    lie: (readers) => ({ ...readers, rulesOf: (version) => readers.rulesOf(`${version}-none`, []) }),
    red: ['denied-by-rule', 'asked-by-rule', 'denied-by-the-files', 'denied-by-the-files-before'],
  },
  {
    reader: 'readLayers',
    lie: (readers) => ({
      ...readers,
      readLayers: async (...asked) => ({ ...(await readers.readLayers(...asked)), layers: asked[0].settings }),
    }),
    red: ['denied-by-the-files', 'denied-by-the-files-before'],
  },
  {
    reader: 'grants.live',
    lie: (readers) => ({
      ...readers,
      grants: {
        live: async (id) =>
          (await readers.grants.live(id, 0)).map((grant) => ({ ...grant, expiresAt: Number.MAX_SAFE_INTEGER })),
      },
    }),
    red: ['grant-that-is-over'],
  },
  {
    reader: 'answers.areTold',
    lie: (readers) => ({ ...readers, answers: { areTold: async () => true } }),
    red: ['nobody-to-ask', 'question-never-answered'],
  },
  {
    reader: 'isOfferedInTurn',
    lie: (readers) => ({ ...readers, isOfferedInTurn: async () => true }),
    red: ['later-look-without-a-turn'],
  },
  {
    reader: 'credentials.scan',
    lie: (readers) => ({ ...readers, credentials: { scan: async () => [] } }),
    red: ['credential-written'],
  },
  {
    reader: 'languages.isAnswered',
    lie: (readers) => ({
      ...readers,
      languages: { serverOf: () => undefined, isAnswered: async () => true },
    }),
    red: ['language-nobody-was-asked-about'],
  },
  {
    reader: 'now',
    lie: (readers) => ({ ...readers, now: () => 0 }),
    red: ['grant-that-is-over'],
  },
  {
    reader: 'catalogue',
    lie: (readers) => ({
      ...readers,
      catalogue: new Map([...readers.catalogue, ['unknown_tool', readers.catalogue.get('list_files')!]]),
    }),
    red: ['unknown-tool'],
  },
];

function withConversation(
  over: Partial<Conversation> | ((found: Conversation) => Partial<Conversation>),
): Sabotage['lie'] {
  return (readers) => ({
    ...readers,
    conversations: {
      ...readers.conversations,
      find: async (id) => {
        const found = await readers.conversations.find(id);
        return found === undefined ? undefined : { ...found, ...(typeof over === 'function' ? over(found) : over) };
      },
    },
  });
}
