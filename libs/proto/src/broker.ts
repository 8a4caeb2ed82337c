export * from './generated/bravo/broker/v1/broker.ts';
