/** The sabotages as data: for each promise about security one line of the enforcement that is broken on purpose, and the tests that must notice. Never applied to the checkout itself. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

const promise = z.string().regex(/^[a-z]+\.[a-z-]+$/);

const sabotage = z.strictObject({
  /** The promises that are broken by it; the first one names it. */
  breaks: z.array(promise).min(1),
  /** What is done to the code, in words. */
  does: z.string().min(10),
  file: z.string().regex(/^(apps|libs|tools|deploy)\//),
  /** Stands in the file exactly once. */
  find: z.string().min(4),
  replace: z.string(),
  /** `file › full title` of every test that turns red; `*` stands for anything. */
  red: z.array(z.string().regex(/^[^ ]+\.ts › ./)).min(1),
  /** Fast enough for every run of `./bravo test`. */
  quick: z.boolean().default(false),
});

const document = z.strictObject({ sabotages: z.array(sabotage) });
const reasons = z.record(promise, z.string().min(10));
const otherwise = z.strictObject({ not_about_security: reasons, not_yet: reasons });

export type Sabotage = z.infer<typeof sabotage>;

export interface Sabotages {
  readonly sabotages: readonly Sabotage[];
  /** Promises that need no sabotage, each with the reason. */
  readonly notAboutSecurity: Readonly<Record<string, string>>;
  /** Promises about security that still want one, each with what stands in the way. A debt, and told as one. */
  readonly notYet: Readonly<Record<string, string>>;
}

export const nameOf = ({ breaks }: Sabotage): string => breaks[0] ?? '';

/** Files of the tests that must turn red. */
export const testFilesOf = ({ red }: Sabotage): string[] => [
  ...new Set(red.map((entry) => entry.split(' › ')[0] ?? '')),
];

/** Journeys need a built platform; all else runs from source. */
export const isJourney = (test: string): boolean => test.split(' › ')[0]?.endsWith('.journey.ts') === true;

/** @throws Error naming the file and the field that does not belong. */
export const readSabotages = (root: string): Sabotages => {
  const directory = path.join(root, 'tools', 'sabotage');
  const read = <T>(file: string, schema: z.ZodType<T>): T => {
    const result = schema.safeParse(parse(readFileSync(path.join(directory, file), 'utf8')));
    if (!result.success) throw new Error(`tools/sabotage/${file}: ${z.prettifyError(result.error)}`);
    return result.data;
  };
  const files = readdirSync(directory).filter((name) => name.endsWith('.sabotages.yaml'));
  const { not_about_security: notAboutSecurity, not_yet: notYet } = read('without-sabotage.yaml', otherwise);
  return { sabotages: files.sort().flatMap((file) => read(file, document).sabotages), notAboutSecurity, notYet };
};

/** @throws Error when what is to be replaced does not stand in the text exactly once: then the sabotage says nothing any more. */
export const sabotageText = (text: string, { file, find, replace, breaks }: Sabotage): string => {
  const times = text.split(find).length - 1;
  if (times !== 1) {
    throw new Error(
      `The sabotage of ${breaks.join(', ')} looks for\n  ${find}\nin ${file}, where it stands ${times} times and must stand once: find the line that enforces the promise now.`,
    );
  }
  return text.replace(find, () => replace);
};
