export { type CheckDatatypeOptions, checkDatatype, hasUnusualUnusedBits } from "./check.ts";
export {
  type ArrayDatatype,
  arrayLength,
  type BitfieldDatatype,
  type ByteOrder,
  type Charset,
  type ComplexDatatype,
  type CompoundDatatype,
  type CompoundMember,
  type Datatype,
  type EnumDatatype,
  type EnumMember,
  type FloatDatatype,
  type FloatOrder,
  type IntegerDatatype,
  ieeeSize,
  isBool,
  isComplexPair,
  isString,
  isVlenString,
  type Normalization,
  type OpaqueDatatype,
  type PadBit,
  type ReferenceDatatype,
  type ReferenceKind,
  type StringDatatype,
  type StringPad,
  type TimeDatatype,
  type VlenDatatype,
  type VlenSequenceDatatype,
  type VlenStringDatatype,
} from "./datatype.ts";
export { type DecodeDatatypeOptions, decodeDatatype, encodeDatatype, sizeOfDatatype } from "./datatype-message.ts";
export { describeDatatype } from "./describe.ts";
export { type Data, type DtypeName, dtypeOf, type NumericDtype, type Scalar } from "./dtype.ts";
export { withOffsetSize } from "./offset-size.ts";
export {
  arrayType,
  bool,
  complexType,
  compoundType,
  datatypeOfArray,
  enumType,
  fixedStringType,
  float16be,
  float16le,
  float32be,
  float32le,
  float64be,
  float64le,
  floatType,
  int8,
  int16be,
  int16le,
  int32be,
  int32le,
  int64be,
  int64le,
  integerType,
  opaqueType,
  referenceType,
  uint8,
  uint16be,
  uint16le,
  uint32be,
  uint32le,
  uint64be,
  uint64le,
  vlenStringType,
  vlenType,
} from "./predefined.ts";
export { type AddressMoves, hasAddresses, relocateAddresses, relocateHeapObject } from "./values/addresses.ts";
export { bytesAsStored } from "./values/bytes-as-stored.ts";
export { ComplexArray } from "./values/complex-array.ts";
export { type ConversionHeap, type Converter, converterOf } from "./values/conversion.ts";
export { decodeValues, scalarOf, type Values } from "./values/decode.ts";
export { type EncodableValues, encodeValues } from "./values/encode.ts";
export type { FloatArray } from "./values/float-bits.ts";
export {
  collectHeapIds,
  type HeapContent,
  type HeapUse,
  hasHeapIds,
  hasReferences,
  type ReferenceForm,
  relocateHeapIds,
} from "./values/heap-ids.ts";
export type { Int64As, IntegerArray } from "./values/integers.ts";
export type { ByteSpan, DecodeValuesOptions, EncodeValuesOptions, HeapId } from "./values/options.ts";
export type { AttributeReference, ObjectReference, Reference, RegionReference } from "./values/references.ts";
export { type StoredValues, type TransferOptions, transferValues } from "./values/stored-values.ts";
export { type Column, StructArray, type StructField, type StructSource } from "./values/struct-array.ts";
export { type LowBound, leastVersion, withVersion } from "./version.ts";
