export * from './generated/bravo/models/v1/models.ts';
