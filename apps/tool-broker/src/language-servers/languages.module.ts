/** Wires language servers: the table, the yeses in Postgres, and sessions of the sandbox. */
import type { GrpcClient } from '@bravo/chassis';
import type { SandboxServiceService } from '@bravo/proto/sandbox';
import type { BrokerDatabase } from '../databases/broker-database.prisma.ts';
import { createLanguageConsents } from './language-consents.prisma.ts';
import { createLanguageServers } from './language-servers.ts';
import { startLanguageSession } from './language-session.client.ts';
import { BUILT_IN, type LanguageTable } from './language-table.ts';
import { type Languages, languagesOf } from './languages.ts';
import { createOpenSession } from './open-session.client.ts';

export interface LanguagesParts {
  readonly database: BrokerDatabase;
  readonly sandbox: GrpcClient<typeof SandboxServiceService>;
  /** Absent: the built-in one. */
  readonly table?: LanguageTable | undefined;
}

export const createLanguages = ({
  database,
  sandbox,
  table = BUILT_IN,
}: LanguagesParts): Languages & { close(): Promise<void> } => {
  const servers = createLanguageServers({
    openSession: createOpenSession(sandbox),
    startSession: startLanguageSession,
  });
  return languagesOf(table, createLanguageConsents(database), servers);
};
