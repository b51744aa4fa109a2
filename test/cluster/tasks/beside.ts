export function throwFromBeside(value: number): never {
  throw new RangeError(`chunk value ${value} is out of range`)
}
