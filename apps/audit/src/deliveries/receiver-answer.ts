/** What an HTTP receiver's answer means: taken, or not and for how long it wants to be left alone. */
import type { ExchangeTerms, OutboundAnswer } from '@bravo/chassis';
import { DeliveryProblem } from './receiver.port.ts';

export type HttpTiming = Pick<ExchangeTerms, 'connectMs' | 'totalMs'>;

/** @throws DeliveryProblem unless it is a 2xx. */
export const requireTaken = ({ status, headers }: Pick<OutboundAnswer, 'status' | 'headers'>): void => {
  if (status >= 200 && status < 300) return;
  if (status >= 300 && status < 400)
    throw new DeliveryProblem(
      `It answered ${status}, which leads elsewhere; a delivery goes only where an admin said.`,
    );
  throw new DeliveryProblem(`It answered ${status}.`, waitOf(headers['retry-after']));
};

/** Milliseconds; seconds or a date, as RFC 9110 has them. */
const waitOf = (value: unknown): number | undefined => {
  if (typeof value !== 'string') return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
};
