import type { FileSpace } from "@h5/framing";
import type { SinkOutput } from "./sink-output.ts";

/** Blocks that follow one another are joined up to this, so that small metadata makes few writes. */
const JOINED = 1 << 20;
/** Bytes that wait before the sink is asked to take them. */
const WAITING = 4 << 20;
/** What a block that waits takes besides its bytes, more or less. */
const BLOCK_COST = 128;

interface Block {
  readonly address: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** Blocks that follow one another. */
interface Run {
  readonly address: number;
  /** Bytes of all. */
  readonly size: number;
  readonly blocks: readonly Block[];
}

/**
 * The file as its structures see it while it is written: room is given from the start to the end, once; blocks wait here
 * until {@link drain} brings them to the sink.
 */
export class SinkSpace implements FileSpace {
  readonly offsetSize = 8;
  readonly lengthSize = 8;
  readonly #output: SinkOutput;
  readonly #base: number;
  #end = 0;
  #waiting: Block[] = [];
  #buffer = new Uint8Array(0);
  /** What was put since blocks last went to the sink. */
  #added = 0;
  /** Sequential sinks: the address they have come to. */
  #reached: number;

  /** @param base - bytes of the user block, which addresses do not count */
  constructor(output: SinkOutput, base: number) {
    this.#output = output;
    this.#base = base;
    this.#reached = -base;
  }

  /** The end of all room given. */
  get end(): number {
    return this.#end;
  }

  allocate(size: number): number {
    const address = this.#end;
    this.#end += size;
    return address;
  }

  put(address: number, bytes: Uint8Array<ArrayBuffer>): void {
    this.#waiting.push({ address, bytes });
    this.#added += bytes.length + BLOCK_COST;
  }

  /** Brings blocks to the sink, once many bytes wait; undefined where there is nothing to wait for. */
  drain(): Promise<void> | undefined {
    this.#output.check();
    return this.#added >= WAITING ? this.#drainAll() : undefined;
  }

  /** Brings all blocks to the sink. */
  async finish(): Promise<void> {
    await this.#drainAll();
    if (this.#waiting.length > 0) throw new Error(`nothing was written at address ${this.#reached}`);
  }

  async #drainAll(): Promise<void> {
    const blocks = this.#waiting.sort((a, b) => a.address - b.address);
    const ready = this.#output.sequential ? this.#reachedBlocks(blocks) : blocks.length;
    this.#waiting = blocks.slice(ready);
    this.#added = 0;
    for (const run of runsOf(blocks, ready)) await this.#output.write(this.#base + run.address, this.#joined(run));
  }

  /** The bytes of blocks that follow one another. Sinks keep none, so that all are joined in the same memory. */
  #joined({ blocks, size }: Run): Uint8Array<ArrayBuffer> {
    const first = blocks[0]!.bytes;
    if (lieTogether(blocks)) return new Uint8Array(first.buffer, first.byteOffset, size);
    if (this.#buffer.length < size) this.#buffer = new Uint8Array(JOINED);
    let at = 0;
    for (const { bytes } of blocks) {
      this.#buffer.set(bytes, at);
      at += bytes.length;
    }
    return this.#buffer.subarray(0, size);
  }

  /** How many blocks can go to a sequential sink now; the rest waits for what comes before it. */
  #reachedBlocks(blocks: readonly Block[]): number {
    let ready = 0;
    for (; blocks[ready]?.address === this.#reached; ready++) this.#reached += blocks[ready]!.bytes.length;
    return ready;
  }
}

/** Whether blocks follow one another in memory as they do in the file: chunks of rows often do. */
function lieTogether(blocks: readonly Block[]): boolean {
  const { buffer, byteOffset } = blocks[0]!.bytes;
  let end = byteOffset;
  return blocks.every(({ bytes }) => {
    const isNext = bytes.buffer === buffer && bytes.byteOffset === end;
    end += bytes.length;
    return isNext;
  });
}

/** The first `count` blocks, small ones that follow one another together. */
function* runsOf(blocks: readonly Block[], count: number): Generator<Run> {
  for (let first = 0; first < count; ) {
    const { address } = blocks[first]!;
    let size = 0;
    let next = first;
    do size += blocks[next++]!.bytes.length;
    while (next < count && blocks[next]!.address === address + size && size + blocks[next]!.bytes.length <= JOINED);
    yield { address, size, blocks: blocks.slice(first, next) };
    first = next;
  }
}
