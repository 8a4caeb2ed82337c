export * from './generated/bravo/sandbox/v1/sandbox.ts';
