/** Ids and error references made by the edges: sortable, unguessable enough to quote, never meaningful. */
import { ulid } from 'ulid';

export type IdPrefix =
  | 'usr'
  | 'ws'
  | 'cnv'
  | 'msg'
  | 'trn'
  | 'pod'
  | 'tc'
  | 'upl'
  | 'apr'
  | 'grt'
  | 'sch'
  | 'tok'
  | 'evt'
  | 'wrk'
  | 'ref'
  | 'ses'
  | 'exe'
  | 'op'
  | 'mdl'
  | 'ntc'
  | 'con';

/** For example `cnv_01k3…`: prefix, underscore, lower-case ULID. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid().toLowerCase()}`;
