/** The cases about names and addresses, met where a connection is decided: a ticket names the host, a resolver gives the case's answers, and what is dialled is what passed. */
import { describe, expect, it } from '@jest/globals';
import { EgressRefused } from '@bravo/chassis/egress-refusals';
import { loadVectors } from '@bravo/testing/load-vectors';
import { publicAddressesSuite } from '@bravo/tools/vectors/public-addresses-suite';
import { createOpenConnection } from './open-connection.ts';
import { createRoom } from './room.ts';

const open = async (
  host: string,
  answers: readonly string[],
): Promise<{ refusal?: string; dialled?: readonly string[] }> => {
  let dialled: readonly string[] | undefined;
  const ticket = {
    ...({ service: 'broker', purpose: 'fetch', reach: 'public', host, port: 443, decisionId: 'tc_1' } as const),
    ...{ workspaceId: 'ws_1', conversationId: '', userId: '', id: 'jti' },
  };
  const openConnection = createOpenConnection<object>({
    verifyTicket: async () => ticket,
    useTicket: () => true,
    isListed: () => false,
    resolveName: async () => answers,
    dial: async (addresses) => {
      dialled = addresses;
      return {};
    },
    record: { allowed: async () => undefined, ended: async () => undefined, refused: async () => undefined },
    room: createRoom({ all: 1, perWorkspace: 1 }),
    newConnectionId: () => 'con_1',
    now: () => 0,
    onUnrecorded: () => undefined,
  });
  const authority = `${host.includes(':') ? `[${host}]` : host}:443`;
  const refusal = await openConnection({ authority, token: 'any' }, new AbortController().signal).then(
    () => undefined,
    (error: unknown) => (error instanceof EgressRefused ? error.code : String(error)),
  );
  return { ...(refusal === undefined ? {} : { refusal }), ...(dialled === undefined ? {} : { dialled }) };
};

describe('public-addresses.yaml at the way out [egress.public-only]', () => {
  it.each(loadVectors(publicAddressesSuite.name, publicAddressesSuite.rows).map((row) => [row.id, row] as const))(
    '%s',
    async (_id, { ip, host, resolves, public: isPublic }) => {
      // An address by itself is met as the one answer of a name, and as the destination it must never be.
      if (ip !== undefined) {
        expect(await open('name.test', [ip])).toEqual(isPublic ? { dialled: [ip] } : { refusal: 'not_public' });
        expect((await open(ip, [])).dialled).toBeUndefined();
        return;
      }
      const bare = (host ?? '').replace(/^\[(.*)\]$/, '$1');
      const { refusal, dialled } = await open(bare, resolves ?? []);
      // Public by value or not, what spells an address is none of the names that are connected to.
      const isName = /[a-z]/i.test(bare) && !bare.includes(':') && !bare.startsWith('0x');
      expect(dialled).toEqual(isName && isPublic ? resolves : undefined);
      if (dialled === undefined) expect(refusal).toMatch(/^(not_public|literal_address|malformed)$/);
    },
  );
});
