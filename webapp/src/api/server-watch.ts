/**
 * Notices a server that takes requests and does not answer them. Some requests take long for good reasons, so a request without an answer
 * only leads to a question that is answered at once by any server that works.
 */
export const ASK_AFTER_MS = 3000;
/** Together five seconds until it is told. */
export const ANSWER_WITHIN_MS = 2000;

type Ask = (signal: AbortSignal) => Promise<unknown>;

export class ServerWatch {
  private asking = false;
  private silent = false;

  constructor(
    private readonly ask: Ask,
    private readonly tell: (silent: boolean) => void,
  ) {}

  /** Runs a request under watch. */
  async watch<T>(request: () => Promise<T>): Promise<T> {
    const timer = setTimeout(() => void this.find(), ASK_AFTER_MS);
    try {
      const answer = await request();
      this.set(false);
      return answer;
    } finally {
      clearTimeout(timer);
    }
  }

  private set(silent: boolean): void {
    if (silent === this.silent) return;
    this.silent = silent;
    this.tell(silent);
  }

  /** Asks until there is an answer. */
  private async find(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    do {
      this.set(!(await this.answers()));
      if (this.silent) await new Promise((done) => setTimeout(done, ANSWER_WITHIN_MS));
    } while (this.silent);
    this.asking = false;
  }

  private async answers(): Promise<boolean> {
    const given = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<boolean>((done) => {
      timer = setTimeout(() => done(false), ANSWER_WITHIN_MS);
    });
    const answered = this.ask(given.signal).then(
      () => true,
      // An unreachable server is reported by the live connection.
      () => true,
    );
    const first = await Promise.race([answered, late]);
    clearTimeout(timer);
    given.abort();
    return first;
  }
}
