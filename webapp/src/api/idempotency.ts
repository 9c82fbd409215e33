/**
 * A new idempotency key: a creation sent twice with it (lost response, double click) is done once. `randomUUID` does not exist on plain
 * http.
 */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function idempotencyHeader(): { readonly 'Idempotency-Key': string } {
  return { 'Idempotency-Key': newKey() };
}
