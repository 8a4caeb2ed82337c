export * from './generated/bravo/automation/v1/automation.ts';
