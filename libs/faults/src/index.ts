export * from './fault-catalogue.ts';
export * from './fault.ts';
export * from './to-grpc.ts';
export * from './to-problem.ts';
