/** A piece of a file that holds raw elements, one after another with the pieces before and after it. */
export interface ExternalSlot {
  /** Name of the file, which the reader looks for in its own way. */
  readonly file: string;
  /** First byte of the piece in the file. */
  readonly offset: number;
  /** Bytes of the piece; undefined, of the last one only: as many as there are. */
  readonly size: number | undefined;
}
