export * from './generated/bravo/orchestrator/v1/orchestrator.ts';
