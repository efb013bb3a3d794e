/*
 * The effort of a test: the usual run takes minutes, `npm run test:long` as long as it needs.
 */

/** True in the long run, which tries all cases. */
export const isLong = process.env.TEST_LONG === '1'

/** Runs of a property: all of them in the long run, a fifth or another part in the usual one. */
export const runs = (all: number, part = 5): number => (isLong ? all : Math.ceil(all / part))

/** Cases of a test: all of them in the long run, every third in the usual one. */
export const some = <Case>(all: readonly Case[]): Case[] =>
  all.filter((_, index) => isLong || index % 3 === 0)

/** The tag of tests that the usual run leaves out. */
export const LONG = '@long'
