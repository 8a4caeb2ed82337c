/** Ids and error references made by the edges: sortable, unguessable enough to quote, never meaningful. */
import { ulid } from 'ulid';

export type IdPrefix =
  'usr' | 'ws' | 'cnv' | 'msg' | 'trn' | 'pod' | 'tc' | 'apr' | 'tok' | 'evt' | 'wrk' | 'ref' | 'ses' | 'exe' | 'op' | 'mdl';

/** For example `cnv_01k3…`: prefix, underscore, lower-case ULID. */
export const newId = (prefix: IdPrefix): string => `${prefix}_${ulid().toLowerCase()}`;

const ID = /^[a-z]{2,4}_[0-9a-hjkmnp-tv-z]{26}$/;

/** Whether a text has the form of an id of that kind; says nothing about existence. */
export const isId = (prefix: IdPrefix, text: string): boolean => ID.test(text) && text.startsWith(`${prefix}_`);
