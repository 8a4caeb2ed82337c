/** A person gives a grant unasked. Guarantees that it is theirs, that they hold what it is for now, and that it names what it covers; it must never cover more than its scope says. */
import { Fault } from '@bravo/faults';
import { type JsonObject, refuseScope, type ToolManifest } from '@bravo/policy';
import type { BoundAgent, Identity } from '../access/agent.ts';
import type { PersonPrincipal } from '../access/person.ts';
import { type ConversationStore, isOwnedBy } from '../conversations/conversation.ts';
import type { ToolCatalogue } from '../manifests/catalogue.ts';
import type { ToolDefinition } from '../manifests/tool-definition.ts';
import { type ReachSources, resolveReach } from '../tool-calls/resolve-reach.ts';
import { type Grant, type GrantStore, MAX_SCOPE_BYTES } from './grant.ts';
import { grantTtl } from './grant-ttl.ts';

export interface GrantRequest extends PersonPrincipal {
  readonly conversationId: string;
  readonly tool: string;
  readonly scope: JsonObject;
  /** 0: what is usual. */
  readonly ttlSeconds: number;
}

export interface CreateGrantParts {
  readonly grants: Pick<GrantStore, 'create'>;
  readonly conversations: Pick<ConversationStore, 'find' | 'trustMap'>;
  readonly identity: Pick<Identity, 'resolveMember'>;
  readonly catalogue: ToolCatalogue;
  readonly reach: Omit<ReachSources, 'conversations'>;
  readonly newGrantId: () => string;
}

/** @throws Fault not_found, conversation_ended, permission_denied, invalid_argument naming what is wrong with the scope. */
export const createCreateGrant =
  ({ grants, conversations, identity, catalogue, reach, newGrantId }: CreateGrantParts) =>
  async ({ userId, workspaceId, conversationId, tool, scope, ttlSeconds }: GrantRequest): Promise<Grant> => {
    const conversation = await conversations.find(conversationId);
    if (conversation === undefined || !isOwnedBy(conversation, { userId, workspaceId }))
      throw new Fault('not_found', 'There is no such conversation.');
    if (conversation.ended)
      throw new Fault('conversation_ended', 'The conversation has ended, so nothing is granted in it.');
    const definition = catalogue.get(tool);
    if (definition === undefined) throw misfit('tool', 'There is no tool of that name.');
    const { manifest } = definition;
    const refused = refuseScope(manifest, requiredOf(definition, scope), scope);
    if (refused !== undefined) throw misfit('scope', refused);
    if (Buffer.byteLength(JSON.stringify(scope)) > MAX_SCOPE_BYTES)
      throw misfit('scope', `The scope is larger than ${MAX_SCOPE_BYTES} bytes.`);
    const seconds = grantTtl(ttlSeconds);
    const { role, permissions } = await identity.resolveMember(workspaceId, userId);
    if (!permissions.includes(manifest.permission)) throw missing(manifest);
    const agent: BoundAgent = {
      ...{ bound: true, tokenId: '', podId: '', userName: '', workspaceSlug: '', expiresAt: 0 },
      ...{ userId, workspaceId, conversationId, role, permissions },
    };
    const { targets, paths, problems } = await resolveReach({ ...reach, conversations }, manifest, scope, agent);
    if (paths === 'unknown') throw misfit('scope', `Where it leads cannot be told: ${problems.join(' ')}`);
    return grants.create({
      id: newGrantId(),
      ...{ conversationId, workspaceId, userId, tool, ttlSeconds: seconds },
      scope: Object.fromEntries(
        Object.entries(scope).map(([name, value]) => [
          name,
          isPlace(manifest, name) ? (targets[name] ?? value) : value,
        ]),
      ),
      source: 'person',
      toolCallId: '',
    });
  };

/** Of arguments of which one is given the first stands for all, unless the scope names another of them. */
const requiredOf = ({ inputSchema, exactlyOne = [] }: ToolDefinition, scope: GrantRequest['scope']): string[] => [
  ...(inputSchema.required ?? []),
  ...exactlyOne.flatMap((names) => (names.some((name) => Object.hasOwn(scope, name)) ? [] : names.slice(0, 1))),
];

const isPlace = ({ arguments: declared }: ToolManifest, name: string): boolean =>
  ['read_path', 'source_path', 'write_path', 'edit_path', 'directory'].includes(declared[name]?.reaches ?? 'nothing');

/** A grant never stands above the person's own permission, so one for more would be a promise that is not kept. */
export const missing = ({ name, permission }: ToolManifest): Fault =>
  new Fault('permission_denied', `You do not hold the permission ${permission}, so you cannot grant ${name}.`);

const misfit = (field: string, text: string): Fault => new Fault('invalid_argument', text, { meta: { field } });
