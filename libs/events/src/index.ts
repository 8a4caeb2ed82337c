export * from './catalogue.ts';
export * from './cloud-event.ts';
export * from './bus.port.ts';
export * from './turn-catalogue.ts';
export * from './turn-stream.ts';
export * from './work.ts';
export * from './outbox.ts';
export * from './outbox-relay.ts';
