/** The price table: US dollars for a million tokens, by the id of a model. A model without a row has no price, which is not a price of nothing. */
import { z } from 'zod';

const amount = z.number().min(0).max(1_000_000);
const PriceTable = z.record(z.string().min(1), z.strictObject({ input: amount, output: amount }));

export interface Price {
  readonly input: number;
  readonly output: number;
}
export type PriceOf = (model: string) => Price | undefined;

const FREE: Price = { input: 0, output: 0 };

/** @throws Error with one sentence naming the variable. */
export function readPrices(json: string): PriceOf {
  if (json.trim() === '') return () => undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new Error(
      'BRAVO_MODEL_PRICES is no JSON; write {"<model id>": {"input": 2.5, "output": 10}}, in dollars for a million tokens.',
    );
  }
  const read = PriceTable.safeParse(value);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw new Error(`BRAVO_MODEL_PRICES: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}.`);
  }
  const table = new Map(Object.entries(read.data));
  return (model) => table.get(model);
}

/** What is no language model costs nothing. */
export const priceFor = (
  priceOf: PriceOf,
  model: { readonly id: string; readonly demo: boolean },
): Price | undefined => (model.demo ? FREE : priceOf(model.id));

/** Millionths of a dollar: a dollar for a million tokens is a millionth for one. */
export const costMicros = (price: Price, inputTokens: number, outputTokens: number): number =>
  Math.ceil(price.input * inputTokens + price.output * outputTokens);
