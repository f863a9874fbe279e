import { type FileSpace, lookup3 } from "@h5/framing";
import type { ObjectModel } from "../model/objects.ts";
import { bodyOf, type PlannedMessage } from "./object-header.ts";

/** Bytes there is room for at the start. */
const FIRST = 4096;

/**
 * The front of the file, where all object headers are: room is taken from the file, and what is put goes into one buffer.
 * What is not known when a header is put there is kept apart, for of very many headers nothing else is to be kept.
 */
export class HeaderSpace implements FileSpace {
  readonly offsetSize = 8;
  readonly lengthSize = 8;
  readonly #space: FileSpace;
  /** Address of the first byte, where the file ended before. */
  #start: number | undefined;
  #used = 0;
  #buffer = new Uint8Array(FIRST);
  /** Messages without a body yet, and where those go. */
  readonly #late: PlannedMessage[] = [];
  readonly #lateAt: number[] = [];
  /** Objects that links lead to, and where their addresses go. */
  readonly #targets: ObjectModel[] = [];
  readonly #targetsAt: number[] = [];
  /** Address and length of blocks that such messages are in, in turn. */
  readonly #unsealed: number[] = [];

  constructor(space: FileSpace) {
    this.#space = space;
  }

  /** All headers; nothing else may have been given room between them. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.#used);
  }

  allocate(size: number): number {
    const address = this.#space.allocate(size);
    this.#start ??= address;
    this.#used = address + size - this.#start;
    if (this.#used > this.#buffer.length) {
      const longer = new Uint8Array(Math.max(this.#used, 2 * this.#buffer.length));
      longer.set(this.#buffer);
      this.#buffer = longer;
    }
    return address;
  }

  put(address: number, bytes: Uint8Array): void {
    this.#buffer.set(bytes, address - this.#start!);
  }

  /** Has the body of a message put where it belongs once it is known. */
  putLater(address: number, message: PlannedMessage): void {
    this.#late.push(message);
    this.#lateAt.push(address);
  }

  /** Has the address of an object put where it belongs once it is known. */
  putAddressLater(address: number, target: ObjectModel): void {
    this.#targets.push(target);
    this.#targetsAt.push(address);
  }

  /** Has the checksum of `length` bytes put behind them once they are known. */
  sealLater(address: number, length: number): void {
    this.#unsealed.push(address, length);
  }

  /** Puts what was left for later, once all addresses are known. */
  complete(addressOf: (object: ObjectModel) => number): void {
    this.#late.forEach((message, i) => {
      this.put(this.#lateAt[i]!, bodyOf(message));
    });
    const view = new DataView(this.#buffer.buffer);
    this.#targets.forEach((target, i) => {
      view.setBigUint64(this.#targetsAt[i]! - this.#start!, BigInt(addressOf(target)), true);
    });
    for (let i = 0; i < this.#unsealed.length; i += 2) {
      const at = this.#unsealed[i]! - this.#start!;
      const end = at + this.#unsealed[i + 1]!;
      view.setUint32(end, lookup3(this.#buffer.subarray(at, end)), true);
    }
  }
}
