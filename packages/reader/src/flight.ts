/** What is under way at once: no more than so many pieces of work, of no more than so many bytes together. */
export class Flight {
  readonly #most: number;
  readonly #mostBytes: number;
  #count: number = 0;
  #bytes: number = 0;
  #waiting: (() => void)[] = [];

  constructor(most: number, mostBytes: number) {
    this.#most = most;
    this.#mostBytes = mostBytes;
  }

  /** Whether work on this many bytes may begin; alone it always may. */
  hasRoom(bytes: number): boolean {
    return this.#count === 0 || (this.#count < this.#most && this.#bytes + bytes <= this.#mostBytes);
  }

  enter(bytes: number): void {
    this.#count++;
    this.#bytes += bytes;
  }

  leave(bytes: number): void {
    this.#count--;
    this.#bytes -= bytes;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  /** Resolves when something leaves. */
  left(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
