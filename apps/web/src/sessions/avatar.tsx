/** A person's initial in a circle; decoration beside their written name. */
export function Avatar({ name, className = 'size-9 text-sm' }: { name: string; className?: string }) {
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center rounded-full bg-accent-soft font-semibold text-accent uppercase ${className}`}
    >
      {name.slice(0, 1)}
    </span>
  );
}
