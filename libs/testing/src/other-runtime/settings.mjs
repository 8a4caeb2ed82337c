/** Reads the other runtime's settings from ZeroClaw's lowercase overrides alone; an unknown one ends the start. */
import { readFileSync } from 'node:fs';

const KNOWN =
  /^(schema_version|(gateway|mcp|memory|mcp_bundles|providers|agents|risk_profiles|runtime_profiles|channels)\.[a-z0-9_.]+)$/;
const GATEWAY =
  /^gateway\.(?!(host|port|paired_tokens|require_pairing|allow_public_bind|request_timeout_secs|check_updates)$)/;

const list = (text) => (text === undefined || text === '' ? [] : JSON.parse(text));

export const readSettings = (env) => {
  const values = {};
  for (const [name, value] of Object.entries(env)) {
    const tail = /^ZEROCLAW_(.*[a-z].*)$/.exec(name)?.[1];
    if (tail === undefined) continue;
    const path = tail.replaceAll('__', '.');
    if (!KNOWN.test(path) || GATEWAY.test(path)) throw new Error(`unknown setting ${name}`);
    values[path] = value;
  }
  // The platform's own way in beside ZeroClaw's: one token for both peers, out of band.
  const source = env.BRAVO_TOKEN_SOURCE;
  const token =
    source &&
    JSON.parse(readFileSync(source.startsWith('fd:') ? Number(source.slice(3)) : source.slice(5), 'utf8')).agent_token;
  const agents = {};
  for (const path of Object.keys(values)) {
    const alias = /^agents\.([a-z0-9_]+)\./.exec(path)?.[1];
    if (alias === undefined || agents[alias]) continue;
    const of = (key) => values[`agents.${alias}.${key}`];
    const provider = `providers.models.${of('model_provider')}`;
    const risk = `risk_profiles.${of('risk_profile')}`;
    const servers = {};
    for (const bundle of list(of('mcp_bundles')))
      for (const name of list(values[`mcp_bundles.${bundle}.servers`]))
        servers[name] = {
          url: values[`mcp.servers.${name}.url`],
          authorization: token ? `Bearer ${token}` : values[`mcp.servers.${name}.headers.authorization`],
        };
    agents[alias] = {
      provider: of('model_provider'),
      model: values[`${provider}.uri`] && {
        uri: values[`${provider}.uri`],
        model: values[`${provider}.model`] ?? 'default',
        key: token ?? values[`${provider}.api_key`],
      },
      asks: values[`${risk}.level`] === 'supervised',
      free: list(values[`${risk}.auto_approve`]),
      servers,
    };
  }
  return {
    agents,
    host: values['gateway.host'] ?? '127.0.0.1',
    port: Number(values['gateway.port'] ?? 42617),
    hashes: list(values['gateway.paired_tokens']),
    timeoutMs: 1_000 * Number(values['gateway.request_timeout_secs'] ?? 30),
    directory: env.ZEROCLAW_CONFIG_DIR ?? env.HOME ?? '.',
  };
};
