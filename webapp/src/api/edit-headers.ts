/** Headers of a change to something versioned; no value, no header. */

export const idempotencyKeyHeader = (key: string | undefined): Record<string, string> =>
  key === undefined ? {} : { 'Idempotency-Key': key };

/** Refused with 412 when the server holds another version. */
export const ifMatch = (version: number | undefined): Record<string, string> =>
  version === undefined ? {} : { 'If-Match': `"${String(version)}"` };
