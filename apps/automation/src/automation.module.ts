/** Wires automation: stores over one database, use cases over stores, the consumer, the sender and the handlers over use cases. */
import { createCounter, type GrpcClient, type Handlers, type Logger, startRounds } from '@bravo/chassis';
import type { Bus } from '@bravo/events';
import type { AutomationServiceService } from '@bravo/proto/automation';
import type { IdentityServiceService } from '@bravo/proto/identity';
import type { Database } from './databases/database.prisma.ts';
import type { CallChannel, Channel } from './deliveries/channel.port.ts';
import { createDeliveries } from './deliveries/deliveries.prisma.ts';
import { createSendCalls } from './deliveries/send-calls.ts';
import { createSendDue } from './deliveries/send-due.ts';
import { createSecretOf } from './deliveries/webhook-secret.ts';
import { createWebhooks } from './deliveries/webhooks.prisma.ts';
import { createHappenings } from './happenings/happenings.prisma.ts';
import { consumeHappenings } from './happenings/take-happening.consumer.ts';
import { createTakeHappening } from './happenings/take-happening.ts';
import { createMembers } from './members/members.client.ts';
import { inboxHandlers } from './notifications/inbox.grpc.ts';
import { createInboxStore } from './notifications/inbox.prisma.ts';
import { createInbox } from './notifications/inbox.ts';

export interface AutomationParts {
  readonly database: Database;
  readonly bus: Pick<Bus, 'consume'>;
  readonly identity: GrpcClient<typeof IdentityServiceService>;
  /** Absent: the operator has no e-mail, and nothing is put down to be sent. */
  readonly email: Channel | undefined;
  /** Through which webhooks are called. */
  readonly calls: CallChannel;
  /** The private part of this service's key, of which webhooks' secrets are made. */
  readonly serviceKey: string;
  readonly publicUrl: string;
  readonly longTurnMs: number;
  readonly logger: Logger;
}

export interface Automation {
  readonly handlers: Handlers<typeof AutomationServiceService>;
  start(): { stop(): Promise<void> };
  /** Letters that are due and not sent. */
  lettersDue(): Promise<number>;
}

const LOOK_MS = 1_000;
const CALLS_AT_ONCE = 4;

export const createAutomation = (parts: AutomationParts): Automation => {
  const { database, bus, email, logger, publicUrl } = parts;
  const members = createMembers(parts.identity);
  const happenings = createHappenings(database, email !== undefined, () => new Date());
  const deliveries = createDeliveries(database);
  const secretOf = createSecretOf(parts.serviceKey);
  const called = createCounter('bravo_notification_calls_total', 'Notifications that a webhook took.');
  const sent = createCounter('bravo_letters_sent_total', 'Letters that a mail server took.');
  return {
    handlers: inboxHandlers(createInbox(createInboxStore(database), secretOf), email !== undefined),
    lettersDue: () => deliveries.countOpen(),
    start() {
      const take = createTakeHappening({ happenings, members, longTurnMs: parts.longTurnMs });
      const consumer = consumeHappenings({ bus, take, logger });
      const sending =
        email &&
        startRounds(
          (message, about) => logger.warn({ ...about }, message),
          [
            {
              name: 'send-due',
              everyMs: LOOK_MS,
              run: createSendDue({ deliveries, members, channel: email, publicUrl, onSent: () => sent.count() }),
            },
          ],
        );
      const callDue = createSendCalls({
        ...{ deliveries, members, secretOf, publicUrl, channel: parts.calls, webhooks: createWebhooks(database) },
        onSent: () => called.count(),
      });
      // Several, so that one webhook that hangs keeps few others waiting.
      const calling = startRounds(
        (message, about) => logger.warn({ ...about }, message),
        Array.from({ length: CALLS_AT_ONCE }, (_, at) => ({
          name: `send-calls-${at}`,
          everyMs: LOOK_MS,
          run: callDue,
        })),
      );
      return {
        stop: async () => {
          await consumer.stop();
          await sending?.stop();
          await calling.stop();
        },
      };
    },
  };
};
