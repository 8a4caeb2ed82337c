/** Python programs that say as one JSON object what each attempt came to: a value, or the name of the error. */

/** `lines` call `attempt(name, action)` or set `said[name]`. */
export const told = (lines: string): string =>
  `import errno, json, os, signal, stat, sys\nsignal.signal(signal.SIGXFSZ, signal.SIG_IGN)\nsaid = {}\ndef attempt(name, action):\n  try: said[name] = action()\n  except OSError as e: said[name] = errno.errorcode[e.errno]\n${lines}\nprint(json.dumps(said))`;
