/** What each service's NATS user may publish and hear: what it needs, and nothing else. Rendered into the server's configuration. */
import { type StreamName } from '../bus.port.ts';

export interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

const manage = (stream: StreamName): string[] =>
  ['INFO', 'CREATE', 'UPDATE'].map((verb) => `$JS.API.STREAM.${verb}.${stream}`);
const consume = (stream: StreamName): string[] => [
  `$JS.API.CONSUMER.CREATE.${stream}`,
  `$JS.API.CONSUMER.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.>`,
  `$JS.API.CONSUMER.INFO.${stream}.>`,
  `$JS.API.CONSUMER.DELETE.${stream}.>`,
  `$JS.API.CONSUMER.MSG.NEXT.${stream}.>`,
  `$JS.ACK.${stream}.>`,
];
const last = (stream: StreamName): string[] => [
  `$JS.API.STREAM.MSG.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}`,
  `$JS.API.DIRECT.GET.${stream}.>`,
];

/** Inbox prefix of a user; replies to one service are not heard by another. */
export const inboxPrefix = (user: string): string => `_INBOX_${user}`;

const user = (name: string, publish: readonly string[], subscribe: readonly string[] = []): NatsPermissions => ({
  publish: ['$JS.API.INFO', ...publish],
  subscribe: [`${inboxPrefix(name)}.>`, ...subscribe],
});

/** Keys are the NATS user names: the service names of the internal principal. */
export const NATS_PERMISSIONS: Readonly<
  Record<
    'gateway' | 'identity' | 'orchestrator' | 'broker' | 'models' | 'audit' | 'automation' | 'egress',
    NatsPermissions
  >
> = {
  gateway: user('gateway', [...manage('TURNS'), ...consume('TURNS'), ...last('TURNS')], ['identity.invalidate.>']),
  identity: user('identity', ['agent.>', 'identity.invalidate.>', ...manage('EVENTS')]),
  orchestrator: user(
    'orchestrator',
    [
      'agent.>',
      'turn.>',
      ...manage('EVENTS'),
      ...manage('TURNS'),
      ...manage('WORK'),
      ...consume('TURNS'),
      ...consume('WORK'),
      ...last('TURNS'),
    ],
    ['identity.invalidate.>'],
  ),
  broker: user(
    'broker',
    ['agent.>', 'turn.>', 'work.>', ...manage('EVENTS'), ...manage('TURNS'), ...manage('WORK')],
    ['identity.invalidate.>'],
  ),
  // Of what it may hear it takes the ends of pods, whose time it charges; into a turn it says what became of its request.
  models: user('models', ['agent.model.>', 'agent.context.>', 'turn.>', ...manage('EVENTS'), ...consume('EVENTS')]),
  egress: user('egress', ['agent.egress.>', ...manage('EVENTS')]),
  // It hears and tells nothing: what it makes of events is for people.
  automation: user('automation', [...manage('EVENTS'), ...consume('EVENTS')]),
  audit: user('audit', ['agent.>', ...manage('EVENTS'), ...consume('EVENTS')]),
};
