/** Where skills and agent definitions are kept. */
import type { Caller } from '../callers/caller.ts';
import type { DefinitionList, DefinitionText, DefinitionWritten } from './definition-routes.ts';

/** As a path names it; checked where it is kept. */
export interface DefinitionPlace {
  readonly kind: string;
  readonly layer: string;
  readonly name: string;
}

/** @throws Fault invalid_argument, permission_denied, not_found, version_conflict. */
export interface Definitions {
  list(caller: Caller): Promise<DefinitionList['definitions']>;
  read(caller: Caller, place: DefinitionPlace): Promise<DefinitionText>;
  put(caller: Caller, place: DefinitionPlace, text: string, ifMatch: number): Promise<DefinitionWritten>;
  remove(caller: Caller, place: DefinitionPlace): Promise<void>;
}
