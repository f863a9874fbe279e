import {
  ByteReader,
  type ByteWriter,
  checkLimit,
  decodeVersion,
  type FileContext,
  InvalidFieldError,
  inAddressOrder,
  need,
  type Plan,
  verifyChecksum,
  type Widths,
} from "@h5/framing";
import { type ChunkElement, type ElementForm, PAGE, readElement, sizeOfElementPage } from "./chunk-element.ts";
import { type ChunkSlots, slotsBetween, touches } from "./chunk-slots.ts";

/** An array that numbers the chunks of a dataset: a fixed or an extensible one. */
export interface ArrayIndex {
  /** Address of its header. */
  readonly address: number;
  readonly form: ElementForm;
  readonly slots: ChunkSlots;
}

/** An element and the slot it stands for. */
export interface SlotElement {
  readonly slot: number;
  readonly element: ChunkElement;
}

/** Elements that lie together in a page or a data block that has no pages. */
export interface ElementRun {
  readonly address: number;
  /** Slot of the first. */
  readonly first: number;
  readonly count: number;
}

/**
 * Checks that an array's header announces the elements that the dataset's pipeline and chunk size call for.
 *
 * @throws InvalidFieldError where it does not
 */
export function checkElementForm(
  header: { readonly clientId: number; readonly elementSize: number },
  { form, address }: { readonly form: ElementForm; readonly address: number },
  structure: string,
): void {
  if (header.clientId !== form.clientId || header.elementSize !== form.size) {
    const expected = `client id ${form.clientId} and elements of ${form.size} bytes`;
    throw new InvalidFieldError(`expected ${expected}, got ${header.clientId} and ${header.elementSize}`, {
      structure,
      address,
    });
  }
}

/**
 * Reads what begins every block of an array: signature, version 0, the header's client id and its address.
 *
 * @throws InvalidFieldError where they are others
 */
export function readBlockPrefix(
  reader: ByteReader,
  signature: string,
  clientId: number,
  headerAddress: number,
  widths: Widths,
): void {
  reader.signature(signature);
  decodeVersion(reader, 0);
  const client = reader.u8();
  if (client !== clientId) reader.fail(`expected the header's client id ${clientId}, got ${client}`, 5);
  const owner = reader.definedOffset(widths, "header address");
  if (owner !== headerAddress) reader.fail(`expected the header address ${headerAddress}, got ${owner}`, 6);
}

/** The inverse of {@link readBlockPrefix}. */
export function writeBlockPrefix(
  writer: ByteWriter,
  signature: string,
  clientId: number,
  headerAddress: number,
  widths: Widths,
): void {
  writer.ascii(signature);
  writer.u8(0);
  writer.u8(clientId);
  writer.offsetField(headerAddress, widths);
}

/** Reads `count` flags, the first in the highest bit of the first byte, and the rest of the `bytes` they are in. */
export function readFlags(reader: ByteReader, count: number, bytes: number = Math.ceil(count / 8)): boolean[] {
  const packed = reader.take(bytes);
  return Array.from({ length: count }, (_, i) => (packed[Math.floor(i / 8)]! & (0x80 >> (i % 8))) !== 0);
}

/** The inverse of {@link readFlags}. */
export function writeFlags(
  writer: ByteWriter,
  flags: readonly boolean[],
  bytes: number = Math.ceil(flags.length / 8),
): void {
  const packed = new Uint8Array(bytes);
  flags.forEach((flag, i) => {
    if (flag) packed[Math.floor(i / 8)]! |= 0x80 >> (i % 8);
  });
  writer.put(packed);
}

/** The wanted ones of elements that begin with slot `first`. */
export function wantedElements(elements: readonly ChunkElement[], first: number, slots: ChunkSlots): SlotElement[] {
  const wanted: SlotElement[] = [];
  for (const slot of slotsBetween(slots, first, first + elements.length)) {
    wanted.push({ slot, element: elements[slot - first]! });
  }
  return wanted;
}

/** The wanted elements of pages; of the other pages nothing is read, and of these no other element is decoded. */
export function* readPages(context: FileContext, index: ArrayIndex, pages: readonly ElementRun[]): Plan<SlotElement[]> {
  const touched = pages.filter(({ first, count }) => touches(index.slots, first, first + count));
  const parts = yield* inAddressOrder(
    touched,
    ({ address }) => address,
    (page) => readPage(context, index, page),
  );
  return parts.flat();
}

function* readPage(
  context: FileContext,
  { form, slots }: ArrayIndex,
  { address, first, count }: ElementRun,
): Plan<SlotElement[]> {
  const size = sizeOfElementPage(count, form);
  checkLimit(context.limits, "metadataBytes", size, { structure: PAGE, address });
  const bytes = yield* need(PAGE, address, size);
  verifyChecksum(bytes, size - 4, PAGE, address);
  const reader = new ByteReader(bytes, PAGE, address);
  return Array.from(slotsBetween(slots, first, first + count), (slot) => {
    reader.skip((slot - first) * form.size - reader.offset);
    return { slot, element: readElement(reader, form, context) };
  });
}
