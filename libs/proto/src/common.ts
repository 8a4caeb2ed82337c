export * from './generated/bravo/common/v1/common.ts';
