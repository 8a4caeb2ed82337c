/** Hosts that spell an address, met at the edge: given to fetch_url, which must refuse them before anybody is asked. */
import type { z } from 'zod';
import type { publicAddressesSuite } from '../public-addresses-suite.ts';
import type { EdgeSuite, Expressions, Seat } from './edge.ts';

type Rows = (typeof publicAddressesSuite)['rows'];
type Row = z.output<Rows>;

const RESOLVED = "what a name resolves to is in nobody's hands here; egress meets the case with a resolver of its own";

/** The URL as an agent would write it. */
const urlOf = ({ ip, host }: Row): string => `http://${host ?? (ip!.includes(':') ? `[${ip}]` : ip!)}/`;

export const publicAddressesEdge: EdgeSuite<Rows> = {
  name: 'public-addresses',
  express: (row): Expressions => {
    const isName = row.host !== undefined && /[a-z]/i.test(row.host) && !/^(0x|\[)/i.test(row.host);
    const expected = { literalAllowed: row.literalAllowed };
    return {
      settings: 'no setting speaks of addresses',
      explain: isName
        ? RESOLVED
        : async (seat: Seat) => ({
            expected,
            actual: { literalAllowed: (await seat.explain('fetch_url', { url: urlOf(row) })).effect !== 'deny' },
          }),
      mcp: isName
        ? RESOLVED
        : async (seat: Seat) => {
            const { text, isError } = await (await seat.shared()).call('fetch_url', { url: urlOf(row) });
            return {
              expected,
              actual: { literalAllowed: !(isError && /spells its host as an address|no http or https URL/.test(text)) },
            };
          },
    };
  },
};
