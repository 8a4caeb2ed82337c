/** Makes an API token for a person: their own through the gateway, anybody's for the operator outside production. */
import { newId } from '@bravo/chassis/reference';
import { Fault } from '@bravo/faults';
import { type Actor, actorName } from '../callers/actor.ts';
import { hashCredential, newCredential } from '../credentials/credential.ts';
import type { PeopleStore, Person, Workspace } from '../people/person.ts';
import type { ApiTokenStore } from './api-token-store.ts';
import { scopesToGrant } from './scopes.ts';

export interface ApiTokenRequest {
  readonly userId: string;
  readonly userName: string;
  readonly workspaceSlug: string;
  readonly label: string;
  readonly scopes: readonly string[];
  /** 0 means the default. */
  readonly ttlSeconds: number;
}

export interface MintedApiToken {
  readonly token: string;
  readonly tokenId: string;
  readonly userId: string;
  readonly workspace: Workspace;
  readonly expiresAt: Date;
}

export interface MintApiTokenParts {
  readonly people: PeopleStore;
  readonly apiTokens: ApiTokenStore;
  readonly production: boolean;
  readonly now: () => Date;
}

const DEFAULT_TTL_SECONDS = 30 * 86_400;
const MAX_TTL_SECONDS = 366 * 86_400;

export const createMintApiToken = ({ people, apiTokens, production, now }: MintApiTokenParts) => {
  const personFor = async (actor: Actor, request: ApiTokenRequest): Promise<Person> => {
    const person = request.userId
      ? await people.findPerson(request.userId)
      : await people.findPersonByName(request.userName);
    if (!person || (actor.issuer !== 'operator' && person.id !== actor.userId)) {
      throw new Fault('not_found', 'There is no such person.');
    }
    return person;
  };

  const workspaceFor = async (actor: Actor, person: Person, slug: string): Promise<Workspace> => {
    const memberships = await people.listMemberships(person.id);
    const found = slug === '' ? memberships[0] : memberships.find(({ workspace }) => workspace.slug === slug);
    if (!found || (actor.issuer !== 'operator' && found.workspace.id !== actor.workspaceId)) {
      throw new Fault('not_found', slug === '' ? 'That person is in no workspace.' : 'There is no such workspace.');
    }
    return found.workspace;
  };

  return async (actor: Actor, request: ApiTokenRequest): Promise<MintedApiToken> => {
    if (actor.issuer === 'operator' && production) {
      throw new Fault(
        'production_refused',
        'In production people make their own API tokens; the command line cannot speak as them.',
      );
    }
    if (request.ttlSeconds < 0 || request.ttlSeconds > MAX_TTL_SECONDS) {
      throw new Fault('invalid_argument', `ttl_seconds must be between 1 and ${MAX_TTL_SECONDS}.`, {
        meta: { field: 'ttl_seconds' },
      });
    }
    if (request.label.length > 200)
      throw new Fault('invalid_argument', 'label is longer than 200 characters.', { meta: { field: 'label' } });
    const scopes = scopesToGrant(request.scopes, actor.issuer === 'operator');
    const person = await personFor(actor, request);
    const workspace = await workspaceFor(actor, person, request.workspaceSlug);
    const token = newCredential('api_token');
    const tokenId = newId('tok');
    const expiresAt = new Date(now().getTime() + (request.ttlSeconds || DEFAULT_TTL_SECONDS) * 1000);
    await apiTokens.createApiToken(
      {
        id: tokenId,
        tokenHash: hashCredential(token),
        userId: person.id,
        workspaceId: workspace.id,
        label: request.label,
        scopes,
        mintedBy: actor.issuer,
        expiresAt,
      },
      actorName(actor),
    );
    return { token, tokenId, userId: person.id, workspace, expiresAt };
  };
};
