export * from './generated/bravo/audit/v1/audit.ts';
