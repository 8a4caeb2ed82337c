/** One part of the test run: what it is called and how many of its checks held; a part that could not run counts as failed. */
export interface PartResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Part {
  readonly name: string;
  run(): Promise<Omit<PartResult, 'name'>>;
}

/** A part that breaks down instead of answering is one failure, said out loud. */
export const runPart = async (part: Part): Promise<PartResult> => {
  process.stdout.write(`\n── ${part.name}\n`);
  try {
    return { name: part.name, ...(await part.run()) };
  } catch (error) {
    process.stdout.write(`${part.name} could not run: ${(error as Error).message}\n`);
    return { name: part.name, passed: 0, failed: 1, skipped: 0 };
  }
};

export const total = (results: readonly PartResult[]): { passed: number; failed: number } => ({
  passed: results.reduce((sum, { passed }) => sum + passed, 0),
  failed: results.reduce((sum, { failed }) => sum + failed, 0),
});
