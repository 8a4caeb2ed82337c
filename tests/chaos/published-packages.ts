/** Preloaded with --import: the condition `source` is for our own packages; another's is used as it was published, whatever its exports offer. */
import { registerHooks } from 'node:module';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier.startsWith('@bravo/') || !context.conditions.includes('source')
      ? next(specifier, context)
      : next(specifier, { ...context, conditions: context.conditions.filter((condition) => condition !== 'source') }),
});
