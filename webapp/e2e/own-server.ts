/** A separate server for a journey, which can kill it and restart it on the same folder. */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PASSWORD } from './studio';

const READY_MS = 90_000;

const freePort = () =>
  new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });

export class OwnServer {
  private running: ChildProcess | undefined;
  private constructor(
    private readonly port: number,
    private readonly folder: string,
  ) {}

  static async create(): Promise<OwnServer> {
    return new OwnServer(await freePort(), mkdtempSync(join(tmpdir(), 'annotarium-own-')));
  }

  get address(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** Resolves when it responds. */
  async start(): Promise<void> {
    const command = join(dirname(process.env['PYTHON'] ?? 'python'), 'annotarium');
    const env = { ...process.env, ANNOTARIUM_ADMIN_PASSWORD: PASSWORD, ANNOTARIUM_LOG_LEVEL: 'warning' };
    this.running = spawn(command, ['serve', '--port', String(this.port), '--data', this.folder], { env, stdio: 'ignore' });
    const limit = Date.now() + READY_MS;
    while (Date.now() < limit) {
      const ready = await fetch(`${this.address}/api/health/ready`)
        .then(({ ok }) => ok)
        .catch(() => false);
      if (ready) return;
      await new Promise((go) => setTimeout(go, 150));
    }
    throw new Error('The server was not ready in time');
  }

  /** Like a power cut: without a graceful shutdown. */
  async kill(): Promise<void> {
    const { running } = this;
    this.running = undefined;
    if (running?.exitCode !== null) return;
    const ended = new Promise((done) => running.once('exit', done));
    running.kill('SIGKILL');
    await ended;
  }

  async remove(): Promise<void> {
    const { running } = this;
    if (running?.exitCode === null) {
      const ended = new Promise((done) => running.once('exit', done));
      running.kill('SIGTERM');
      await ended;
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}
