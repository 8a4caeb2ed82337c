export * from './context.ts';
export * from './decision.ts';
export * from './facts.ts';
export * from './json.ts';
export * from './label.ts';
export * from './manifest.ts';
export * from './permissions.ts';
export * from './trust-map.ts';
