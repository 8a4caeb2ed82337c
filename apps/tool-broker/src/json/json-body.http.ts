/** Takes JSON bodies of the HTTP edge strictly; what is refused arrives at the handler as a value that says why, so that each protocol answers in its own words. */
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DEFAULT_JSON_LIMITS, JsonRefused, parseStrictJson } from './parse-strict-json.ts';

export class MalformedJson {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

export const useStrictJson = (app: NestFastifyApplication): void => {
  app.useBodyParser(
    'application/json',
    { bodyLimit: DEFAULT_JSON_LIMITS.maxBytes },
    (_request: unknown, body: unknown, done: (error: Error | null, value?: unknown) => void) => {
      try {
        const text = new TextDecoder('utf-8', { fatal: true }).decode(body as Buffer);
        done(null, parseStrictJson(text));
      } catch (error) {
        done(null, new MalformedJson(error instanceof JsonRefused ? error.message : 'The message is not valid UTF-8.'));
      }
    },
  );
};
