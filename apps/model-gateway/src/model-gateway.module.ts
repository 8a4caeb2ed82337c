/** Wires the model gateway: one provider, one ledger, the use cases over them, and the two ways in. */
import { HealthModule, newId } from '@bravo/chassis';
import type { Handlers, Logger, Readiness } from '@bravo/chassis';
import type { ModelsServiceService } from '@bravo/proto/models';
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { createAuthenticateAgent } from './callers/identity.client.ts';
import type { IdentityGrpc } from './callers/identity.client.ts';
import {
  AUTHENTICATE_AGENT,
  ChatCompletionsController,
  COMPLETE_CHAT,
  LOGGER,
} from './chat-completions/chat-completions.http.ts';
import { createCompleteChat } from './chat-completions/complete-chat.ts';
import type { Database } from './databases/database.prisma.ts';
import { createModelsHandlers } from './models/models.grpc.ts';
import { MODEL_PROVIDER, ModelsController } from './models/models.http.ts';
import type { ModelProvider } from './providers/model-provider.port.ts';
import { createListTokenUsage } from './usage/list-token-usage.ts';
import type { UsageLedger } from './usage/usage-ledger.ts';
import { createUsageLedger } from './usage/usage-ledger.prisma.ts';

export interface ModelGatewayParts {
  readonly provider: ModelProvider;
  readonly database: Database;
  readonly identity: IdentityGrpc;
  readonly readiness: Readiness;
  readonly logger: Logger;
  readonly now: () => Date;
}

@Module({})
export class ModelGatewayModule {
  static with({ provider, database, identity, readiness, logger, now }: ModelGatewayParts): DynamicModule {
    const ledger = ledgerOf(database, now);
    return {
      module: ModelGatewayModule,
      imports: [HealthModule.with(readiness)],
      controllers: [ChatCompletionsController, ModelsController],
      providers: [
        { provide: LOGGER, useValue: logger },
        { provide: MODEL_PROVIDER, useValue: provider },
        { provide: AUTHENTICATE_AGENT, useValue: createAuthenticateAgent(identity, () => now().getTime()) },
        { provide: COMPLETE_CHAT, useValue: createCompleteChat(provider, ledger) },
      ],
    };
  }
}

export const createGrpcHandlers = ({
  provider,
  database,
  now,
}: Pick<ModelGatewayParts, 'provider' | 'database' | 'now'>): Handlers<typeof ModelsServiceService> =>
  createModelsHandlers(provider, createListTokenUsage(ledgerOf(database, now)));

const ledgerOf = (database: Database, now: () => Date): UsageLedger =>
  createUsageLedger(database, now, () => newId('mdl'));
