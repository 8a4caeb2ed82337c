/** Everything about language servers that decisions and effects are given: the table, the yeses, and the servers that run. */
import type { OnBehalfOf } from '../sandbox/sandbox.ts';
import type { LanguageConsents, LanguageOfFile } from './language-consent.ts';
import type { LanguageServers } from './language-servers.ts';
import { type LanguageServer, type LanguageTable, serverOf } from './language-table.ts';

export interface Languages extends LanguageOfFile, Pick<LanguageServers, 'ask'>, Pick<LanguageConsents, 'keep'> {
  /** Servers of the conversation that run now, in the order they were started. */
  runningFor(conversationId: string): readonly LanguageServer[];
}

export const languagesOf = (
  table: LanguageTable,
  consents: LanguageConsents,
  servers: LanguageServers,
): Languages & { close(): Promise<void> } => ({
  serverOf: (path) => serverOf(table, path),
  isAnswered: (conversationId, language) => consents.has(conversationId, language),
  keep: (conversationId, language, toolCallId) => consents.keep(conversationId, language, toolCallId),
  ask: (who: OnBehalfOf, ...asked) => servers.ask(who, ...asked),
  runningFor: (conversationId) =>
    servers.started(conversationId).flatMap((language) => table.find((each) => each.language === language) ?? []),
  close: () => servers.close(),
});
