export * from './generated/bravo/identity/v1/identity.ts';
