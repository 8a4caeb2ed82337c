/**
 * Lets only our own packages resolve to their TypeScript sources.
 *
 * Some packages of others (ai, eventsource-parser) also publish a `source` condition; jest does not transform
 * node_modules, so there it must never win.
 */
module.exports = (request, options) => {
  if (request.startsWith('@bravo/') || request.startsWith('.')) return options.defaultResolver(request, options);
  const conditions = (options.conditions ?? []).filter((condition) => condition !== 'source');
  return options.defaultResolver(request, { ...options, conditions });
};
