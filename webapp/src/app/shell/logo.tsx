/** The logo of the product: lines of text, the last one short. */
export function Logo({ size = 22 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden>
      <rect width="24" height="24" rx="6" fill="var(--primary)" />
      <path d="M6 8h12M6 12h9M6 16h5" stroke="var(--on-primary)" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
  );
}
