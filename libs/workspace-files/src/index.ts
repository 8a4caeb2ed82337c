export * from './file-facts.ts';
export * from './parse-path.ts';
export * from './tool-messages.ts';
export * from './workspace-limits.ts';
export * from './turnstile.ts';
export * from './untouched-facts.ts';
