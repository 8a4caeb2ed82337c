/** The start must stop; the message is one sentence that says what was wrong and what to do, and never holds a secret. */
export class ConfigError extends Error {}
