/** One key per creation: sending it twice (a lost answer, a double press) creates once. `randomUUID` is not there on plain http. */
export function idempotent(): { readonly 'Idempotency-Key': string } {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return { 'Idempotency-Key': Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('') };
}
