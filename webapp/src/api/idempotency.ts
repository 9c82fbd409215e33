/** One key per creation: sending it twice (a lost answer, a double press) creates once. `randomUUID` is not there on plain http. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function idempotencyHeader(): { readonly 'Idempotency-Key': string } {
  return { 'Idempotency-Key': newKey() };
}
