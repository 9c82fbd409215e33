/** Names typed after an @. Pure. */

export interface TypedMention {
  /** Offset of the @. */
  readonly start: number;
  /** What was typed after it, up to the cursor. */
  readonly query: string;
}

/** The name that is being typed at the cursor. An @ inside a word, as in an address, begins none. */
export function mentionAt(text: string, cursor: number): TypedMention | undefined {
  const found = /(?:^|[^\p{L}\p{N}_@.])@([\p{L}\p{N}_.+-]*)$/u.exec(text.slice(0, cursor));
  const query = found?.[1];
  return query === undefined ? undefined : { start: cursor - query.length - 1, query };
}

/** The text with the name in place of what was typed, and the cursor after it. */
export function withMention(text: string, cursor: number, { start }: TypedMention, username: string) {
  const before = `${text.slice(0, start)}@${username} `;
  return { text: before + text.slice(cursor).replace(/^ /u, ''), cursor: before.length };
}
