/** Line icons drawn for this page; decoration only, so every one is hidden from assistive tools. */
import type { ReactNode } from 'react';

function icon(shape: ReactNode) {
  return function Icon({ className = 'size-4' }: { className?: string }) {
    return (
      <svg
        viewBox="0 0 20 20"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.6"
        strokeLinecap="round"
        strokeLinejoin="round"
        className={className}
        aria-hidden="true"
        focusable="false"
      >
        {shape}
      </svg>
    );
  };
}

export const PlusIcon = icon(<path d="M10 4v12M4 10h12" />);
export const SendIcon = icon(<path d="M10 16V4.5M5 9l5-5 5 5" />);
export const StopIcon = icon(<rect x="5.5" y="5.5" width="9" height="9" rx="1.5" fill="currentColor" />);
export const CheckIcon = icon(<path d="m4.5 10.5 3.5 3.5 7.5-8" />);
export const CrossIcon = icon(<path d="m5.5 5.5 9 9m0-9-9 9" />);
export const AlertIcon = icon(
  <path d="M10 6.5v4.2m0 2.8v.1M8.7 3.3 2 15a1.5 1.5 0 0 0 1.3 2.2h13.4A1.5 1.5 0 0 0 18 15L11.3 3.3a1.5 1.5 0 0 0-2.6 0Z" />,
);
export const ChevronIcon = icon(<path d="m7.5 5 5 5-5 5" />);
export const MenuIcon = icon(<path d="M3 5.5h14M3 10h14M3 14.5h14" />);
export const SunIcon = icon(
  <>
    <circle cx="10" cy="10" r="3.2" />
    <path d="M10 2.5v1.6m0 11.8v1.6M2.5 10h1.6m11.8 0h1.6M4.7 4.7l1.1 1.1m8.4 8.4 1.1 1.1m0-10.6-1.1 1.1m-8.4 8.4-1.1 1.1" />
  </>,
);
export const MoonIcon = icon(<path d="M16.5 11.8A6.8 6.8 0 0 1 8.2 3.5a6.8 6.8 0 1 0 8.3 8.3Z" />);
export const ShieldIcon = icon(
  <>
    <path d="M10 2.8 4 5v4.5c0 3.7 2.5 6.4 6 7.7 3.5-1.3 6-4 6-7.7V5z" />
    <path d="m7.3 9.9 1.9 1.9 3.5-3.7" />
  </>,
);
export const ExitIcon = icon(<path d="M8 4H5.5A1.5 1.5 0 0 0 4 5.5v9A1.5 1.5 0 0 0 5.5 16H8m4-9 3 3-3 3m3-3H8" />);
export const EyeIcon = icon(
  <>
    <path d="M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5Z" />
    <circle cx="10" cy="10" r="2.2" />
  </>,
);
export const ToolIcon = icon(<path d="m3.5 6 3.5 4-3.5 4m6 0h7" />);
export const PersonIcon = icon(
  <>
    <circle cx="10" cy="7" r="3" />
    <path d="M4.5 16.5c.6-3 2.8-4.5 5.5-4.5s4.9 1.5 5.5 4.5" />
  </>,
);
export const InfoIcon = icon(
  <>
    <circle cx="10" cy="10" r="7" />
    <path d="M10 9.2v4.3m0-7v.1" />
  </>,
);
export const FolderIcon = icon(
  <path d="M3 6.5A1.5 1.5 0 0 1 4.5 5h3l2 2h6A1.5 1.5 0 0 1 17 8.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 14.5Z" />,
);
export const DotIcon = icon(<circle cx="10" cy="10" r="2.5" fill="currentColor" />);
export const RepeatIcon = icon(
  <path d="M15.5 8.5A6 6 0 0 0 5 6.5L3.5 8m0-4v4h4m-3 3.5A6 6 0 0 0 15 13.5l1.5-1.5m0 4v-4h-4" />,
);

export function Spinner({ className = 'size-4' }: { className?: string }) {
  return (
    <svg viewBox="0 0 20 20" fill="none" className={`${className} animate-spin`} aria-hidden="true" focusable="false">
      <circle cx="10" cy="10" r="7" stroke="currentColor" strokeWidth="2" opacity="0.25" />
      <path d="M17 10a7 7 0 0 0-7-7" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}

/** The product's mark, the same drawing as the page's icon file. */
export function Mark({ className = 'size-7' }: { className?: string }) {
  return (
    <svg viewBox="0 0 64 64" className={className} aria-hidden="true" focusable="false">
      <rect width="64" height="64" rx="15" fill="#3b5bdb" />
      <path
        fill="#fff"
        d="M21 15h13.5c6.4 0 10.5 3.3 10.5 8.6 0 3.5-1.8 6-5 7.2 4 1.1 6.4 4 6.4 8.3 0 6-4.6 9.9-11.7 9.9H21z"
      />
      <path
        fill="#3b5bdb"
        d="M28.4 21.4v7.2h5c2.7 0 4.2-1.3 4.2-3.6s-1.5-3.6-4.2-3.6zm0 13v8.2h5.7c3.1 0 4.8-1.5 4.8-4.1s-1.7-4.1-4.8-4.1z"
      />
    </svg>
  );
}
