/** The event catalogue for machines: AsyncAPI 3 and JSON Schema, from the declarations alone. */
import { eventSchemas } from '@bravo/events/privacy';

const EXTENSIONS = {
  workspace: 'Workspace id, or "platform"',
  conversation: 'Absent where the event concerns none',
  actor: 'user:<id>, bravo:<user id> or service:<name>',
  onbehalfof: 'Id of the user the actor acts for',
  producer: 'Service that wrote it',
  causation: 'Id of the event or call that led to it',
  traceparent: 'W3C trace context',
};

const envelope = (type: string, data: unknown) => ({
  type: 'object',
  required: ['specversion', 'id', 'source', 'type', 'time', 'workspace', 'actor', 'producer', 'producerseq', 'data'],
  properties: {
    specversion: { const: '1.0' },
    id: { type: 'string' },
    source: { type: 'string' },
    type: { const: type },
    time: { type: 'string', format: 'date-time' },
    datacontenttype: { const: 'application/json' },
    ...Object.fromEntries(
      Object.entries(EXTENSIONS).map(([name, description]) => [name, { type: 'string', description }]),
    ),
    producerseq: {
      type: 'integer',
      minimum: 1,
      description: 'Grows by one per event of a producer: a hole is a lost event',
    },
    data,
  },
});

const spell = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

export const renderAsyncApi = (): string => {
  const types = Object.entries(eventSchemas());
  const messages = Object.fromEntries(
    types.map(([type, data]) => [
      type,
      { name: type, contentType: 'application/cloudevents+json', payload: envelope(type, data) },
    ]),
  );
  return spell({
    asyncapi: '3.0.0',
    info: {
      title: 'Events of Bravo',
      version: '1.0.0',
      description: 'CloudEvents 1.0 on JetStream, stream EVENTS. Generated; the declarations are in libs/events.',
    },
    channels: Object.fromEntries(
      types.map(([type]) => [
        type,
        {
          address: `${type}.{workspace}`,
          parameters: { workspace: { description: EXTENSIONS.workspace } },
          messages: { event: { $ref: `#/components/messages/${type}` } },
        },
      ]),
    ),
    operations: Object.fromEntries(
      types.map(([type]) => [`tell ${type}`, { action: 'send', channel: { $ref: `#/channels/${type}` } }]),
    ),
    components: { messages },
  });
};

export const renderEventSchemas = (): string =>
  spell({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Events of Bravo',
    oneOf: Object.entries(eventSchemas()).map(([type, data]) => envelope(type, data)),
  });
