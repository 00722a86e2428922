/** A state that can be told from every other one, and from a part of one. */
export const stateAt = (seq: number): string => `${seq} `.repeat(1 + (seq % 5000));
