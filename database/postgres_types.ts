import pg from 'pg'

const INT8 = 20

/** Reads `bigint` as a number: every one of ours (counts, sequences) stays under 2^53. */
export function readBigintsAsNumbers(): void {
  pg.types.setTypeParser(INT8, Number)
}
