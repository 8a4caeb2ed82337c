/** Which workspace and conversation the address names (`#/acme/cnv_…`); the address is the only memory of it, so that reload and back work. */
import { useEffect, useState } from 'react';

export interface Route {
  workspace: string;
  conversation: string;
}

export function parseRoute(hash: string): Route {
  const [workspace = '', conversation = ''] = hash
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decode);
  return { workspace, conversation };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export function formatRoute({ workspace, conversation }: Route): string {
  return `#/${[workspace, conversation].filter(Boolean).map(encodeURIComponent).join('/')}`;
}

export function useRoute(): [Route, (route: Route) => void] {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => {
    const onChange = (): void => setRoute(parseRoute(location.hash));
    window.addEventListener('hashchange', onChange);
    return () => window.removeEventListener('hashchange', onChange);
  }, []);
  return [
    route,
    (next) => {
      location.hash = formatRoute(next);
    },
  ];
}
